import DaemonAccounts
import DaemonConnections
import DaemonService
import SignetAuthentication
import SignetMemory
import SignetVocabulary

/// Proves who a user is, for a login and for the vault: by finger, where that is possible, and by passcode. What the evidence
/// is for is the caller's; it is used at once, and by a finger while nothing else can touch the account.
struct Authentication {
  let daemon: Daemon
  let client: ClientConnection
  let request: LoginRequest
  let user: User
  let account: Account
  let purpose: Purpose

  enum Purpose: Equatable {
    /// After us others may ask for a passcode, so that we do not where we never asked for a finger. The vault opens after the
    /// verdict, since nobody waits for scrypt then.
    case login(keepsLoginSecret: Bool)
    /// Nobody else asks, and the vault has to be open before the evidence is used.
    case vault
  }

  typealias Interruption = ClientConnection.Interruption
  typealias Use = (consuming AuthenticationEvidence, Finger?) throws(Interruption) -> Void

  /// Answers with `success` where the evidence was used. `required`: why a finger is not enough this time, if so.
  func run(required: LockReason = .none, _ use: Use) throws(Interruption) -> Verdict {
    // The reader is at the hand of who sits here, not of who asks from elsewhere.
    guard !request.isRemote, let fingers = enrolledFingers() else { return try withoutFingers(.biometryNotAvailable, use) }
    if fingers.isEmpty { return try withoutFingers(.biometryNotEnrolled, use) }

    let standing = account.standing
    let lock = standing.lock == .none ? required : standing.lock
    var evaluation = evaluation(request.policy)
    var next = evaluation.begin(isLocked: lock != .none)
    if lock != .none {
      if let fault = standing.fault { Log.write(.error, fault.description) }
      record(.locked(lock))
      try client.show(.locked, value: lock.rawValue)
    }
    if case .scan = next {
      let scan = Scan(authentication: self, fingers: fingers.usable)
      switch try scan.run(&evaluation, use) {
      case .released: return .success
      case .stopped(let after): next = after
      }
    }

    switch next {
    case .askPasscode(let reason): return try askPasscode(reason, &evaluation, use)
    case .end(let verdict): return verdict
    // `Scan` ends with one of the others; there is no reader here to scan with.
    case .scan: return .biometryNotAvailable
    }
  }

  /// By passcode and nothing else.
  func runPasscode(_ reason: PasscodeReason, _ use: Use) throws(Interruption) -> Verdict {
    var evaluation = evaluation(.deviceOwnerAuthentication)
    _ = evaluation.begin(isLocked: true)
    return try askPasscode(reason, &evaluation, use)
  }

  private func evaluation(_ policy: Policy) -> Evaluation {
    Evaluation(
      uid: user.uid, policy: policy, limits: daemon.configuration.limits(for: request.service), poorScans: account.poorScans)
  }

  private func withoutFingers(_ verdict: Verdict, _ use: Use) throws(Interruption) -> Verdict {
    guard purpose == .vault, request.policy == .deviceOwnerAuthentication else { return verdict }
    return try runPasscode(.readerUnavailable, use)
  }

  private func askPasscode(
    _ reason: PasscodeReason, _ evaluation: inout Evaluation, _ use: Use
  ) throws(Interruption) -> Verdict {
    let dialog = PasscodeDialog(
      daemon: daemon, client: client, user: user, service: request.service, terminal: request.terminal)
    switch try dialog.run(reason) {
    case .verified: return try verified(dialog, &evaluation, use)
    case .wrong: return .authenticationFailed
    // As after five strikes, and no passcode is left to be asked for.
    case .delayed: return .biometryLockout
    case .notSet: return .passcodeNotSet
    case .unavailable, .undecided: return .biometryNotAvailable
    case .cancelled: return .userCancel
    }
  }

  private func verified(
    _ dialog: PasscodeDialog, _ evaluation: inout Evaluation, _ use: Use
  ) throws(Interruption) -> Verdict {
    guard let evidence = evaluation.passcodeVerified() else { return .authenticationFailed }
    switch purpose {
    case .login(let keepsLoginSecret):
      try use(evidence, nil)
      daemon.audit.flush()
      dialog.openVault(keepsLoginSecret: keepsLoginSecret)
    case .vault:
      guard try dialog.openVaultFirst(creates: true) != nil else { return .userCancel }
      try use(evidence, nil)
    }
    return .success
  }

  /// Records what happened, after the client was told of it.
  func record(_ events: Event...) { daemon.audit.record(events, of: user, by: request.requester(client)) }

  /// As memory has them, for the record.
  var strikes: Int { max(0, daemon.configuration.limits.strikes - account.missesLeft) }

  /// The user's fingers; `nil`, logged, where the state cannot be read at all.
  private func enrolledFingers() -> AccountStore.Fingers? {
    do {
      let fingers = daemon.store.value.withDeviceKey(try daemon.store.value.fingers(of: user))
      for problem in fingers.unusable { Log.write(.error, "left out: \(problem.description)", request.fields) }
      return fingers
    } catch {
      Log.write(.error, error.description, request.fields)
      record(.stateUnusable)
      return nil
    }
  }
}
