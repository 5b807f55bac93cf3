import Glibc
import SignetFiles
import SignetVocabulary

extension VaultError {
  /// From a system call that failed.
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

func onDisk<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(VaultError) -> Value {
  do { return try body() } catch { throw VaultError(error) }
}
