import DaemonAccounts
import DaemonService
import DaemonVaults
import SignetAuthentication
import SignetVault
import SignetVocabulary

/// What the evaluations of one context have proved, as its requests use it: `ContextEvidence` with the clock and the account. It belongs
/// to the thread of the connection, and ends with it.
final class KeptEvidence {
  private let vault: Vault
  private let account: Account
  private let user: User
  private var evidence = ContextEvidence()
  /// What stood for the user's fingers when something was asked for last.
  private var fingers: [UInt8] = []

  init(_ vault: Vault, _ account: Account, _ user: User) {
    self.vault = vault
    self.account = account
    self.user = user
  }

  /// A finger is about to be asked for: it proves something about the fingers as they are now. True where there is one.
  @discardableResult
  func prepare() -> Bool {
    fingers = vault.domainState(of: user)
    return !fingers.isEmpty
  }

  /// Keeps what was proved since `prepare`. Of the passcode's evidence nothing is kept where a lock came after it. Safe while the account's lock is
  /// held for a finger.
  func keep(_ evidence: borrowing AuthenticationEvidence) {
    guard evidence.uid == user.uid else { return }
    let basis = vault.basis(of: user, fingers: fingers)
    // Who has matched a finger has the account's lock, so that no other comes in between.
    if evidence.method == .passcode {
      isForCopies = false
      if isLocked { return }
    }
    self.evidence.keep(evidence, at: bootMilliseconds(), on: basis)
  }

  /// What counts now for an item.
  var proof: Proof {
    guard evidence.end != nil else { return [] }
    let methods = evidence.methods(at: bootMilliseconds(), on: vault.basis(of: user), isLocked: isLocked)
    return (methods.contains(.fingerprint) ? .fingerprint : Proof()).union(methods.contains(.passcode) ? .passcode : [])
  }

  /// How long something counts at most, on the boot clock; `nil` where nothing does. Costs nothing, unlike `proof`.
  var end: Int64? { evidence.end }

  func forget() {
    evidence.forget()
    isForCopies = false
  }

  /// Whether the passcode that counts was given to copy a passkey: then it is for all those that the owner takes along.
  private(set) var isForCopies = false

  func keepForCopies() { isForCopies = true }

  private var isLocked: Bool { account.status.lock != .none }
}
