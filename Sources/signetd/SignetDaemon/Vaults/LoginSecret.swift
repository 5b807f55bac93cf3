import DaemonService
import SignetAuthentication
import SignetFiles
import SignetMemory
import SignetVault
import SignetVocabulary

/// Whether a finger can release a user's login secret.
package enum LoginSecret {
  /// There is none.
  case none
  case releasable(ItemToRelease)
  /// It was stored for other fingers.
  case fingersChanged
  /// The user key is not in memory.
  case closed

  /// Why a finger is not enough for a login that wants the login secret: the session's keyring would stay locked.
  package var required: LockReason {
    switch self {
    case .none, .releasable: .none
    case .fingersChanged: .fingersChanged
    case .closed: .vaultClosed
    }
  }
}

extension Vault {
  /// What a login by finger could release. Asked before the finger, because the answer may be that the passcode is needed.
  package func loginSecret(of user: User) -> LoginSecret {
    do throws(VaultError) {
      guard try hasVault(user) else { return .none }
      let secret = try locate(.loginSecret, of: user)
      if !secret.item.description.isOfCurrentSet { return .fingersChanged }
      return keys.isHeld(user.uid) ? .releasable(secret) : .closed
    } catch {
      if error == .notFound { return .none }
      // A damaged vault costs the login secret, but not the login.
      Log.write(.error, "no login secret: \(error.description)", [("user", user.name)])
      return .none
    }
  }

  /// Releases the login secret for the evidence of a finger. Where it does not open, the reason is logged, and it is `nil`.
  package func releaseLoginSecret(_ secret: ItemToRelease, for evidence: borrowing AuthenticationEvidence) -> SecretBytes? {
    guard evidence.uid == secret.user.uid, evidence.method == .fingerprint else { return nil }
    do throws(VaultError) {
      let value = try read(secret, proof: .fingerprint)
      guard Vault.isAuthtok(value) else { return nil }
      return value
    } catch {
      Log.write(.error, "the login secret is not released: \(error.description)", [("user", secret.user.name)])
      return nil
    }
  }

  /// What PAM can carry: it ends at the first zero byte.
  package static func isAuthtok(_ value: borrowing SecretBytes) -> Bool {
    let bytes = value.span
    guard !bytes.isEmpty, bytes.count <= FieldLimit.passcode else { return false }
    for index in bytes.indices where bytes[index] == 0 { return false }
    return true
  }

  /// Keeps a verified passcode as the login secret, where it is not so already. True where something was stored.
  func keepLoginSecret(_ passcode: borrowing SecretBytes, of user: User) -> Bool {
    let kept = try? read(locate(.loginSecret, of: user), proof: .fingerprint)
    if let kept, kept.span.isEqual(to: passcode.span) { return false }
    do throws(VaultError) {
      do throws(VaultError) {
        try put(Item.loginSecret, value: passcode, of: user, .replacing(admits: ""))
      } catch {
        guard error.cause == .notFound else { throw error }
        try put(Item.loginSecret, value: passcode, of: user, .new(""))
      }
      return true
    } catch {
      Log.write(.error, "the login secret is not stored: \(error.description)", [("user", user.name)])
      return false
    }
  }
}
