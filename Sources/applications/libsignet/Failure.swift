import CLinux
import CSignet

public typealias ErrorPointer = UnsafeMutablePointer<signet_error>

/// A literal as a C string.
@inline(__always) func c(_ literal: StaticString) -> UnsafePointer<CChar> {
  unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Why a call fails.
enum Failure: Error {
  case authentication(AuthenticationError, detail: StaticString)
  case items(ItemStatus, detail: StaticString)
  /// errno(3)
  case system(Int32, detail: StaticString)

  /// Of an evaluation.
  static func evaluation(_ error: ContextError) -> Failure {
    .authentication(AuthenticationError(error), detail: error.explanation)
  }

  /// Of an evaluation that was ended by the context's end.
  static func pending(_ error: ContextError) -> Failure {
    error == .invalidated ? .authentication(.appCancel, detail: error.explanation) : .evaluation(error)
  }

  static func item(_ error: ContextError) -> Failure { .items(ItemStatus(error), detail: error.explanation) }

  func write(to error: ErrorPointer?) {
    guard let error = unsafe error else { return }
    switch self {
    case .authentication(let code, let detail):
      unsafe write(SIGNET_DOMAIN_AUTHENTICATION, code.rawValue, code.text, detail, to: error)
    case .items(let status, let detail): unsafe write(SIGNET_DOMAIN_ITEMS, status.rawValue, status.text, detail, to: error)
    case .system(let code, let detail): unsafe write(SIGNET_DOMAIN_SYSTEM, code, "A system call failed.", detail, to: error)
    }
  }

  private func write(_ domain: Int, _ code: Int32, _ text: StaticString, _ detail: StaticString, to error: ErrorPointer) {
    unsafe error.pointee = signet_error(
      domain: Int32(truncatingIfNeeded: domain), code: code, message: c(text), detail: c(detail), reserved: (0, 0))
  }
}

/// Runs a function of the API; false, and the error written, where it fails.
func succeeds(_ pointer: ErrorPointer?, _ body: () throws(Failure) -> Void) -> Bool {
  do throws(Failure) {
    try body()
    return true
  } catch {
    unsafe error.write(to: pointer)
    return false
  }
}

/// A program's text; `nil` is an empty one. Invalid UTF-8 is refused.
func text(_ pointer: UnsafePointer<CChar>?) throws(Failure) -> String {
  guard let pointer = unsafe pointer else { return "" }
  guard let text = unsafe String(validatingCString: pointer) else {
    throw .system(EINVAL, detail: "A text is not UTF-8.")
  }
  return text
}
