import Glibc
import SignetFiles
import SignetJWT
import SignetMemory
import SignetSealing
import SignetTokenServices
import SignetVocabulary

/// What a provider gave while the vault was closed, or the disk below it full: sealed, in a file of the user's state, by a key that is in
/// the vault with what the new one follows. Nobody opens it but who has the vault release that, to the same finger.
struct Handover: Sendable {
  /// Bytes that a file may have.
  private static let limit = 128 << 10
  /// The folder of the bindings' records, which is there when something is bound.
  private let path: String

  init(path: String) { self.path = path }

  private func name(_ key: TokenKey) -> String {
    let named = [key.kind.rawValue, key.service, key.account].joined(separator: "\0")
    return "handover-" + SHA2.sha256(Array(named.utf8)).prefix(16).hexadecimal
  }

  private func context(_ key: TokenKey) -> SealContext { SealContext("SGho", uid: geteuid(), name: Array(name(key).utf8)) }

  /// False where it could not be written.
  func leave(_ text: String, for key: TokenKey, sealedBy secret: borrowing SealingKey) -> Bool {
    guard let sealed = secret.seal(Array(text.utf8).span, for: context(key)) else { return false }
    return (try? StateDirectory(path: path, create: true).replace(name(key), with: sealed)) != nil
  }

  /// What was left; `nil` where nothing was, or under another key: then what the vault has is newer.
  func take(_ key: TokenKey, sealedBy secret: borrowing SealingKey) -> String? {
    guard unsafe access(path, F_OK) == 0, let folder = try? StateDirectory(path: path, create: false),
      let sealed = try? folder.read(name(key), limit: Handover.limit), let plain = secret.open(sealed.span, for: context(key))
    else { return nil }
    return String(decoding: Array(copying: plain.span), as: UTF8.self)
  }

  func remove(_ key: TokenKey) {
    guard unsafe access(path, F_OK) == 0, let folder = try? StateDirectory(path: path, create: false) else { return }
    try? folder.remove(name(key))
  }
}
