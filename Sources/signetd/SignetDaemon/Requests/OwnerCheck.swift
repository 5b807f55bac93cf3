import DaemonService
import DaemonConnections
import DaemonProving
import SignetVocabulary
import SignetWire

/// Changing the enrolled fingers, or emptying the vault, needs a fresh passcode of their owner, unless root does it.
struct OwnerCheck {
  let attempt: Attempt

  /// How long polkit's dialog may stand, in milliseconds, and how long after it a proof may come.
  private static let dialogLimit: Int64 = 5 * 60_000
  private static let proofLimit: Int64 = 2_000

  /// The passcode is proved to polkit, whose dialog says what for, and polkit's consent is passed on by signet-fprint. Either alone does
  /// not do: a passcode that was typed for something else, or a consent for which none was typed.
  private func passesByPolkit() throws(ClientConnection.Interruption) -> Bool {
    let (client, user, awaited) = (attempt.client, attempt.user, attempt.prover.awaited)
    guard let wait = awaited.begin(user.uid) else {
      client.refuse(.passcodeUnchecked)
      return false
    }
    defer { awaited.end(wait, of: user.uid) }
    client.phase = .asksPolkit
    try client.send(AdministrationReply.askPasscode(.administration))
    client.learnProcess()
    var deadline = bootMilliseconds() + OwnerCheck.dialogLimit
    var isConsented = false
    while !isConsented || !wait.isProved {
      switch try client.wait(for: wait.isProved ? -1 : wait.descriptor, until: deadline, heartbeats: false) {
      case .request(.fallback):
        isConsented = true
        deadline = min(deadline, bootMilliseconds() + OwnerCheck.proofLimit)
      case .request, .deadline:
        client.refuse(isConsented ? .passcodeUnchecked : .cancelled)
        return refused()
      case .other, .tick: continue
      }
    }
    return true
  }

  /// False where the client has been refused. `makesVault`: whether the passcode makes the user's vault, if there is none.
  func passes(makesVault: Bool = false) throws(ClientConnection.Interruption) -> Bool {
    let (client, user) = (attempt.client, attempt.user)
    if client.isRoot { return true }
    if try attempt.prover.passcodes.accounts.refuses(user, client) { return refused() }
    if client.caller == .busService { return try passesByPolkit() }
    guard let refused = try PasscodeDialog(attempt).proveAndOpen(.administration, createsVault: makesVault) else { return true }
    client.refuse(refused, of: user)
    return self.refused()
  }

  private func refused() -> Bool {
    Log.write(.warning, "refused to change fingers", [("user", attempt.user.name), ("pid", "\(attempt.client.peer.pid)")])
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
