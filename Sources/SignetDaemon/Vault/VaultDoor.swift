import DaemonConnections
import DaemonService
import SignetAuthentication
import SignetVault
import SignetVocabulary

/// The way to an open vault: the passcode, where its key is not in memory.
struct VaultDoor {
  let daemon: Daemon
  let client: ClientConnection
  let user: User

  /// What other users are told who holds the reader, and the section of signet.conf with its tries.
  static let service = "signet-vault"
  /// How long an opening is waited for, in milliseconds: several users' follow one another.
  private static let openingLimit: Int64 = 5_000
  /// How long a finger is waited for, in milliseconds.
  private static let patience: Int64 = 30_000

  typealias Interruption = ClientConnection.Interruption

  func authentication(_ policy: Policy) -> Authentication {
    Authentication(
      daemon: daemon, client: client,
      request: LoginRequest(policy, of: user, for: VaultDoor.service, timeout: VaultDoor.patience, peer: client.peer),
      user: user, account: daemon.accounts[user.uid], purpose: .vault)
  }

  /// False where the client has been refused. `use`: what the passcode proves something for, if it was asked for.
  func opens(_ use: Authentication.Use = { _, _ in }) throws(Interruption) -> Bool {
    guard try awaitOpening() else {
      client.refuse(.cancelled)
      return false
    }
    if daemon.vault.keys.isHeld(user.uid) { return true }
    let verdict = try authentication(.deviceOwnerAuthentication).runPasscode(.vault, use)
    guard verdict == .success else {
      refuse(verdict)
      return false
    }
    client.phase = .working
    guard daemon.vault.keys.isHeld(user.uid) else {
      client.refuse(daemon.vault.hasOtherPasscode(user.uid) ? .otherPasscodeOpensVault : .vaultNotOpened)
      return false
    }
    return true
  }

  /// Somebody who has just logged in by passcode is not asked for it again while the vault opens. False where the client
  /// cancelled.
  private func awaitOpening() throws(Interruption) -> Bool {
    client.phase = .working
    let deadline = bootMilliseconds() + VaultDoor.openingLimit
    while !daemon.vault.keys.isHeld(user.uid), daemon.vault.openings.isOpening(user.uid), bootMilliseconds() < deadline {
      if case .request = try client.wait(until: bootMilliseconds() + 10) { return false }
    }
    return true
  }

  /// Tells the client why nothing was proved.
  func refuse(_ verdict: Verdict) {
    switch verdict {
    case .authenticationFailed: client.refuse(.notVerified)
    case .userCancel, .appCancel, .systemCancel: client.refuse(.cancelled)
    case .userFallback: client.refuse(.fingerOnly)
    case .passcodeNotSet: client.refuse(.passcodeNotSet(user: user.name))
    case .biometryNotEnrolled: client.refuse(.fingerOnlyNoneEnrolled)
    case .biometryLockout: client.refuse(.locked)
    default: client.refuse(.nothingToAsk)
    }
  }
}
