import DaemonConnections
import DaemonProving
import DaemonService
import DaemonVaults
import SignetAuthentication
import SignetVault
import SignetVocabulary

/// The way to an open vault: the passcode, where its key is not in memory.
struct VaultAccess {
  let prover: Prover
  let client: ClientConnection
  let user: User

  /// What other users are told who holds the reader, and the section of signet.conf with its tries.
  static let service = "signet-vault"
  /// How long an opening is waited for, in milliseconds: several users' follow one another.
  private static let openingLimit: Int64 = 5_000
  /// How long a finger is waited for, in milliseconds.
  private static let fingerLimit: Int64 = 30_000

  typealias Interruption = ClientConnection.Interruption

  private var vault: Vault { prover.vault }

  func attempt(_ policy: Policy = .deviceOwnerAuthentication) -> Attempt {
    let request = EvaluationRequest(policy, timeout: VaultAccess.fingerLimit, service: VaultAccess.service)
    return Attempt(prover, for: user, by: client, request)
  }

  func authentication(_ policy: Policy) -> Authentication { Authentication(attempt(policy), for: .vault) }

  /// False where the client has been refused. `use`: what the passcode proves something for, if it was asked for.
  func opens(_ use: Authentication.Use = { _, _ in }) throws(Interruption) -> Bool {
    guard try awaitOpening() else {
      client.refuse(.cancelled)
      return false
    }
    if vault.isOpen(user.uid) { return true }
    let verdict = try authentication(.deviceOwnerAuthentication).runPasscode(.vault, use)
    guard verdict == .success else {
      refuse(verdict)
      return false
    }
    client.phase = .working
    guard vault.isOpen(user.uid) else {
      client.refuse(vault.hasOtherPasscode(user.uid) ? .otherPasscodeOpensVault : .vaultNotOpened)
      return false
    }
    return true
  }

  /// Whether the vault is open, or is being opened already, so that nothing has to be asked for.
  func isOpenByItself() throws(Interruption) -> Bool { try awaitOpening() && vault.isOpen(user.uid) }

  /// Somebody who has just logged in by passcode is not asked for it again while the vault opens. False where the client
  /// cancelled.
  private func awaitOpening() throws(Interruption) -> Bool {
    client.phase = .working
    guard isBeingOpened else { return true }
    let deadline = bootMilliseconds() + VaultAccess.openingLimit
    let waiter = vault.openingEnds.join()
    while isBeingOpened {
      switch try client.wait(for: waiter.descriptor, until: deadline) {
      case .request: return false
      case .deadline: return true
      case .other, .tick: waiter.looks()
      }
    }
    return true
  }

  private var isBeingOpened: Bool { !vault.isOpen(user.uid) && vault.isOpening(user.uid) }

  /// Whether the user's account is not open, of which the client is told then. To be asked also where nothing has to be proved.
  func isRefusedByAccount() throws(Interruption) -> Bool {
    guard let verdict = try attempt().accountObstacle() else { return false }
    refuse(verdict)
    return true
  }

  /// Tells the client why nothing was proved.
  func refuse(_ verdict: Verdict) {
    switch verdict {
    case .authenticationFailed: client.refuse(.notVerified)
    case .userCancel, .appCancel: client.refuse(.cancelled)
    case .systemCancel: client.refuse(.asleep)
    case .userFallback: client.refuse(.fingerOnly)
    case .passcodeNotSet: client.refuse(.passcodeNotSet(user: user.name))
    case .biometryNotEnrolled: client.refuse(.fingerOnlyNoneEnrolled)
    case .biometryLockout: client.refuse(.locked)
    case .accountClosed, .passcodeExpired, .accountUnknown: client.refuse(account: verdict)
    default: client.refuse(.nothingToAsk)
    }
  }
}
