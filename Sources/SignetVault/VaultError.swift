import Glibc
import SignetFiles
import SignetVocabulary

/// Why the vault did not do it: a cause for programs, and a sentence that names the file and the way out.
public struct VaultError: Error, Hashable, Sendable {
  public typealias Cause = VaultCause

  public let cause: Cause
  /// The file at fault, where one is.
  public let path: String?
  /// What is wrong and what to do, in one sentence. Holds no secret.
  public let description: String

  init(_ cause: Cause, _ path: String? = nil, _ description: String) {
    self.cause = cause
    self.path = path
    self.description = path.map { "\($0): \(description)" } ?? description
  }

  static let noKey = VaultError(.noKey, nil, "there is no vault yet; enroll a finger, which makes one")
  static let wrongPasscode = VaultError(
    .wrongPasscode, nil, "the passcode does not open the vault; if it was reset, recover with the old one")
  /// The user key is not in memory.
  public static let locked = VaultError(.locked, nil, "the vault is locked; it opens with your passcode")
  static let proofMissing = VaultError(.proofMissing, nil, "the item asks for another proof of who you are")
  static let notFound = VaultError(.notFound, nil, "there is no such item")
  static let duplicate = VaultError(.duplicate, nil, "there is such an item already; update it")
  static let full = VaultError(.full, nil, "\(ItemLimit.items) items are all that fit; delete some")
  static let badItem = VaultError(
    .badItem, nil,
    """
    a service has 1 to \(ItemLimit.name) bytes, an account up to \(ItemLimit.name), a label and a comment up to \
    \(ItemLimit.text) each, a value up to \(ItemLimit.value)
    """)
  static let exhausted = VaultError(.exhausted, nil, "the system gives no memory or no randomness; try again later")

  static func setChanged(_ path: String) -> VaultError {
    VaultError(.setChanged, path, "the enrolled fingers changed since it was stored, and nothing opens it any more; delete it")
  }
  static func damaged(_ path: String) -> VaultError {
    VaultError(.damaged, path, "it is torn, was altered or is another's; put the right file back, or \(wayOut(path))")
  }
  static func missing(_ path: String) -> VaultError {
    VaultError(.missing, path, "it is gone; put it back, or \(wayOut(path))")
  }
  static func putBack(_ path: String) -> VaultError {
    VaultError(.putBack, path, "an older copy was put back; put the newest back, or \(wayOut(path))")
  }

  /// What makes a file that cannot be had back unnecessary.
  private static func wayOut(_ path: String) -> String {
    if path.contains("/items/") { return "delete or update the item" }
    return path.hasSuffix("/set") ? "enroll or delete a finger, which makes a new one" : "reset the vault, which loses its items"
  }

  static func unknown(_ path: String) -> VaultError {
    VaultError(.putBack, path, "it was deleted and put back, or is none of the vault's; remove it")
  }
  static func otherOwner(_ path: String, _ owner: String) -> VaultError {
    VaultError(.otherOwner, path, "it is of \(owner), who had this uid before; reset the vault")
  }
  static func otherKey(_ path: String) -> VaultError {
    VaultError(.otherKey, path, "it was stored under a key that is gone, and nothing opens it any more; delete it")
  }
  static func unfinished(_ error: VaultError) -> VaultError {
    VaultError(.unfinished, nil, "the change is made, but not all of it is on disk: \(error.description)")
  }
  static func keyExists(_ path: String) -> VaultError {
    VaultError(.keyExists, path, "there is a key already; open it with the passcode that it was made for, or reset the vault")
  }
  static let emptyPasscode = VaultError(.badItem, nil, "an empty passcode keeps nothing; set one")

  /// What a call of the system did not do.
  public init(_ error: SystemError) {
    if error.code == EFBIG {
      self.init(.damaged, nil, "\(error.description); it was altered; put the right file back, or reset the vault")
    } else if error.code == EWOULDBLOCK {
      self.init(.busy, nil, "\(error.description); another process changes the vault; end it")
    } else {
      self.init(.system, nil, "\(error.description); put that right and try again")
    }
  }
}

/// Runs what touches files.
func onDisk<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(VaultError) -> Value {
  do { return try body() } catch { throw VaultError(error) }
}
