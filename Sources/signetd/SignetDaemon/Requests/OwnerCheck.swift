import DaemonService
import DaemonConnections
import DaemonProving

/// Changing the enrolled fingers, or emptying the vault, needs a fresh passcode of their owner, unless root does it.
struct OwnerCheck {
  let attempt: Attempt

  /// False where the client has been refused. `makesVault`: whether the passcode makes the user's vault, if there is none.
  func passes(makesVault: Bool = false) throws(ClientConnection.Interruption) -> Bool {
    let (client, user) = (attempt.client, attempt.user)
    if client.isRoot { return true }
    guard let refused = try PasscodeDialog(attempt).proveAndOpen(.administration, createsVault: makesVault) else { return true }
    client.refuse(refused, of: user)
    Log.write(.warning, "refused to change fingers", [("user", user.name), ("pid", "\(client.peer.pid)")])
    return false
  }
}

extension ClientConnection {
  /// Tells the client why a passcode did not do.
  func refuse(_ outcome: PasscodeDialog.Outcome, of user: User) {
    switch outcome {
    case .wrong: refuse(.passcodeFailed)
    case .delayed: refuse(.passcodeDelayed)
    case .notSet: refuse(.passcodeNotSet(user: user.name))
    case .cancelled: refuse(.cancelled)
    case .unavailable, .undecided, .fingerWanted, .ended: refuse(.passcodeUnchecked)
    }
  }
}
