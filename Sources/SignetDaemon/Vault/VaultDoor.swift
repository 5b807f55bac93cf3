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
      client.refuse(.cancelled, "Cancelled.")
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
      client.refuse(
        .vaultUnavailable,
        daemon.vault.hasOtherPasscode(user.uid)
          ? "Another passcode opens the vault: yours was set without the old one. `signet vault recover` takes the old one."
          : "The passcode is right, but the vault does not open; see `signet status`.")
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
    case .authenticationFailed: client.refuse(.failed, "Not recognised, or a wrong passcode.")
    case .userCancel, .appCancel, .systemCancel: client.refuse(.cancelled, "Cancelled.")
    case .userFallback: client.refuse(.failed, "Only a finger opens this.")
    case .passcodeNotSet: client.refuse(.passcodeNotSet, "\(user.name) has no passcode; set one with passwd(1) first.")
    case .biometryNotEnrolled:
      client.refuse(.notEnrolled, "Only a finger opens this, and none is enrolled: signet enroll")
    case .biometryLockout: client.refuse(.vaultUnavailable, "Fingerprints or passcodes are locked; see `signet status`.")
    default: client.refuse(.readerUnavailable, "No finger and no passcode could be asked for; see `signet readers`.")
    }
  }
}

extension ClientConnection {
  /// Tells the client what the vault says.
  func refuse(_ error: VaultError) {
    let refusal: Refusal =
      switch error.cause {
      case .notFound: .notFound
      case .duplicate: .duplicateItem
      case .full: .vaultFull
      case .setChanged: .fingersChanged
      case .wrongPasscode: .passcodeFailed
      case .badItem: .failed
      case .noKey, .keyExists, .locked, .proofMissing, .damaged, .missing, .putBack, .otherOwner, .otherKey, .system, .unfinished,
        .busy, .exhausted:
        .vaultUnavailable
      }
    refuse(refusal, error.description)
  }
}
