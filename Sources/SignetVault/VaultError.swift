import Glibc
import SignetFiles
import SignetVocabulary

extension VaultError {
  /// What a call of the system did not do.
  public init(_ error: SystemError) {
    switch error.code {
    case EFBIG: self = .oversized(error)
    case EWOULDBLOCK: self = .busy(error)
    default: self = .system(error)
    }
  }

  /// For the log, in short: what, and which file.
  public var description: String {
    switch self {
    case .oversized(let error), .system(let error), .busy(let error): error.description
    case .unfinished(let error): "not all of the change is on disk: \(error.description)"
    default: (path.map { "\($0): " } ?? "") + "\(cause)"
    }
  }
}

/// Runs what touches files.
func onDisk<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(VaultError) -> Value {
  do { return try body() } catch { throw VaultError(error) }
}
