// The names are the compiler's, or Foundation's on Apple's systems.
// swift-format-ignore-file: NoLeadingUnderscores
import SignetContexts

/// The domain of errors of this module.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why an evaluation did not succeed, with Apple's codes. As `NSError` it has the domain `LAErrorDomain`; such an `NSError` casts
/// back (`as? LAError`).
public struct LAError: Error, Sendable {
  public enum Code: Int, Sendable {
    /// Three misses in this evaluation, or three wrong passcodes.
    case authenticationFailed = -1
    /// The user cancelled.
    case userCancel = -2
    /// The user wants the passcode, under a policy that leaves asking to the program.
    case userFallback = -3
    /// The system cancelled: suspend, another session, another evaluation.
    case systemCancel = -4
    /// The account has no passcode.
    case passcodeNotSet = -5
    /// No reader, or none that may be used here. `biometryNotAvailable` is its name today.
    case touchIDNotAvailable = -6
    /// No finger is enrolled. `biometryNotEnrolled` is its name today.
    case touchIDNotEnrolled = -7
    /// Five misses in a row: only the passcode helps. `biometryLockout` is its name today.
    case touchIDLockout = -8
    /// The program cancelled: `invalidate()` while it was asked.
    case appCancel = -9
    /// The context was invalidated before.
    case invalidContext = -10
    /// There is no watch. `companionNotAvailable` is its name today.
    case watchNotAvailable = -11
    case biometryNotPaired = -12
    case biometryDisconnected = -13
    case invalidDimensions = -14
    /// The owner had to be asked, and must not be, or cannot.
    case notInteractive = -1004

    public static let biometryNotAvailable = touchIDNotAvailable
    public static let biometryNotEnrolled = touchIDNotEnrolled
    public static let biometryLockout = touchIDLockout
    public static let companionNotAvailable = watchNotAvailable
  }

  /// The error as Foundation has it.
  public let _nsError: NSError

  /// One with a code that this version does not know cannot be made: it would match nothing.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    let description: [String: Any] = [NSLocalizedDescriptionKey: code.description]
    _nsError = NSError(domain: LAErrorDomain, code: code.rawValue, userInfo: description.merging(userInfo) { $1 })
  }

  /// From an error of the domain `LAErrorDomain`; another code of it counts as `authenticationFailed`, and another domain is the
  /// program's mistake.
  public init(_nsError: NSError) {
    precondition(_nsError.domain == LAErrorDomain, "not an error of \(LAErrorDomain)")
    self._nsError = _nsError
  }

  public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }
  public var userInfo: [String: Any] { _nsError.userInfo }
  public var localizedDescription: String { _nsError.localizedDescription }

  public static var errorDomain: String { LAErrorDomain }

  public static var authenticationFailed: Code { .authenticationFailed }
  public static var userCancel: Code { .userCancel }
  public static var userFallback: Code { .userFallback }
  public static var systemCancel: Code { .systemCancel }
  public static var passcodeNotSet: Code { .passcodeNotSet }
  public static var touchIDNotAvailable: Code { .touchIDNotAvailable }
  public static var touchIDNotEnrolled: Code { .touchIDNotEnrolled }
  public static var touchIDLockout: Code { .touchIDLockout }
  public static var biometryNotAvailable: Code { .touchIDNotAvailable }
  public static var biometryNotEnrolled: Code { .touchIDNotEnrolled }
  public static var biometryLockout: Code { .touchIDLockout }
  public static var appCancel: Code { .appCancel }
  public static var invalidContext: Code { .invalidContext }
  public static var watchNotAvailable: Code { .watchNotAvailable }
  public static var companionNotAvailable: Code { .watchNotAvailable }
  public static var biometryNotPaired: Code { .biometryNotPaired }
  public static var biometryDisconnected: Code { .biometryDisconnected }
  public static var invalidDimensions: Code { .invalidDimensions }
  public static var notInteractive: Code { .notInteractive }
}

extension LAError.Code {
  /// `catch LAError.userCancel`, and `case LAError.userCancel` of any error.
  public static func ~= (code: LAError.Code, error: any Error) -> Bool { (error as? LAError)?.code == code }

  /// As on Apple's systems, in English.
  fileprivate var description: String {
    switch self {
    case .watchNotAvailable: "No companion is available."
    case .biometryNotPaired: "No biometric accessory is paired."
    case .biometryDisconnected: "The biometric accessory is disconnected."
    case .invalidDimensions: "The dimensions of the view are not valid."
    default: "\((Int32(exactly: rawValue).flatMap(AuthenticationError.init(rawValue:)) ?? .authenticationFailed).text)"
    }
  }
}
