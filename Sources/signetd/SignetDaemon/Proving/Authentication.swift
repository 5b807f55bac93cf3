import DaemonAccounts
import DaemonConnections
import DaemonService
import DaemonVaults
import SignetAuthentication
import SignetMachine
import SignetVocabulary

/// Proves who a user is, for a login and for the vault: by finger where that is possible, and by passcode. The caller says what
/// the evidence is used for. It is used at once; that of a finger is used while the account's lock is held.
package struct Authentication {
  let attempt: Attempt
  let purpose: Purpose

  package enum Purpose: Equatable {
    /// Other modules of the stack may ask for a passcode after us, so that we do not ask for one where no finger was asked
    /// for. The vault opens after the verdict, since nobody waits for scrypt then.
    case login(keepsLoginSecret: Bool)
    /// No other module asks for a passcode, and the vault has to be open before the evidence is used.
    case vault
    /// An application asks. A wrong passcode is asked for again. Where the policy allows no way to prove anything, nothing is shown.
    case application
    /// Somebody on the bus wants to know whose finger it is. Nothing is opened or released for it.
    case verification

    /// Whether it is asked by a service of signet.conf, and by one that may be switched off.
    var isLogin: Bool {
      switch self {
      case .login, .verification: true
      case .vault, .application: false
      }
    }
  }

  /// How often an application's evaluation asks for the passcode.
  private static let passcodeTries = 3

  package typealias Interruption = ClientConnection.Interruption
  package typealias Use = (consuming AuthenticationEvidence, Finger?) throws(Interruption) -> Void

  package init(_ attempt: Attempt, for purpose: Purpose) {
    self.attempt = attempt
    self.purpose = purpose
  }

  /// Answers with `success` where the evidence was used. `required`: why a finger is not enough this time, if so.
  package func run(required: LockReason = .none, _ use: Use) throws(Interruption) -> Verdict {
    // The user who asks from another machine cannot touch this reader. Somebody else, who sits at it, could.
    if purpose.isLogin, attempt.policy.allows == .off { return .biometryNotAvailable }
    if let verdict = try accountObstacle() { return verdict }
    guard !attempt.request.isRemote, let fingers = enrolledFingers() else {
      return try withoutFingers(.biometryNotAvailable, use)
    }
    if fingers.isEmpty { return try withoutFingers(.biometryNotEnrolled, use) }
    if attempt.failureOfOrigin() != nil { return try fromElsewhere(use) }

    let status = attempt.account.status
    let first = firstOpening(status, required: required)
    let isFirst = first != nil
    let lock = isFirst ? .none : status.lock == .none ? required : status.lock
    if purpose.isLogin, asksPasscodeFirst, policy == .deviceOwnerAuthentication, lock == .none,
      let verdict = try passcodeFirst(use)
    {
      return verdict
    }
    var evaluation = evaluation(policy)
    var next = evaluation.begin(isLocked: lock != .none)
    if lock != .none {
      if let fault = status.fault { Log.write(.error, fault.description) }
      attempt.record(.locked(lock))
      if isShown(before: next) { try attempt.client.show(.locked, value: lock.rawValue) }
    }
    if case .scan = next, let form = fingers.obstacle {
      try attempt.client.show(.readerUnavailable, value: form)
      next = evaluation.stop(.readerUnavailable)
    }
    if case .scan = next {
      let scan = Scan(attempt: attempt, fingers: fingers.usable, liftsRestart: isFirst)
      let presence = attempt.prover.passcodes.presence.ask(about: attempt.user)
      if presence.answer == .notSet { return .passcodeNotSet }
      switch try scan.run(&evaluation, presence) {
      case .stopped(let after): next = after
      case .held(.end) where purpose == .application:
        // The reader is there, and a program must not tell its user that it is not: another prompt was first.
        next = .end(.systemCancel)
      case .held(let after): next = after
      case .matched(let match):
        guard try settle(match, first, use) == .overtaken else { return .success }
        next = try scan.ended(evaluation.begin(isLocked: true))
      }
    }

    switch next {
    case .askPasscode(let reason):
      let isAway = purpose.isLogin && reason == .readerUnavailable
      let away = isAway ? AwayReader(of: fingers.usable, for: attempt, after: evaluation.lastStop) : nil
      return try askPasscode(reason, &evaluation, away, use)
    case .end(let verdict): return verdict
    // `Scan` ends with one of the others; there is no reader here to scan with.
    case .scan: return .biometryNotAvailable
    }
  }

  /// What the request asks for, as far as the service takes it.
  private var policy: Policy {
    purpose.isLogin && attempt.policy.allows == .finger ? .deviceOwnerAuthenticationWithBiometrics : attempt.request.policy
  }

  /// Where the user cannot type while a finger is waited for, as in a script, the passcode comes first, unless signet.conf says otherwise.
  /// So it does where sudo has a prompt of its own, which only sudo can show.
  private var asksPasscodeFirst: Bool {
    switch attempt.policy.prompt {
    case .passcodeFirst: true
    case .either:
      attempt.request.question == .alone || ["sudo", "sudo-i"].contains(attempt.request.service) && Sudoers().hasPromptOfItsOwn
    case .fingerFirst: false
    }
  }

  /// The passcode before the finger; `nil` where the user wants the finger.
  private func passcodeFirst(_ use: Use) throws(Interruption) -> Verdict? {
    var evaluation = evaluation(.deviceOwnerAuthentication)
    _ = evaluation.begin(isLocked: true)
    let dialog = PasscodeDialog(attempt)
    switch try dialog.prove(.passcodeFirst) {
    case .right(let right): return try settle(right, dialog, &evaluation, use)
    case .refused(.fingerWanted): return nil
    case .refused(let outcome): return verdict(outcome)
    }
  }

  /// Whether the user is told of a lock: an application that takes no passcode has the verdict for that.
  private func isShown(before next: Evaluation.Next) -> Bool {
    if case .askPasscode = next { return true }
    return purpose != .application
  }

  /// By passcode and nothing else.
  package func runPasscode(_ reason: PasscodeReason, _ use: Use) throws(Interruption) -> Verdict {
    if let verdict = try accountObstacle() { return verdict }
    var evaluation = evaluation(.deviceOwnerAuthentication)
    _ = evaluation.begin(isLocked: true)
    return try askPasscode(reason, &evaluation, nil, use)
  }

  /// Why the user's account opens nothing. A login that root asks for is not asked about: its host does that, after us.
  private func accountObstacle() throws(Interruption) -> Verdict? {
    if case .login = purpose, attempt.client.isRoot { return nil }
    return try attempt.accountObstacle()
  }

  private func evaluation(_ policy: Policy) -> Evaluation {
    Evaluation(
      uid: attempt.user.uid, policy: policy, limits: attempt.prover.configuration.limits(for: attempt.request.service),
      poorScans: attempt.account.poorScans)
  }

  /// Nothing is armed or charged for somebody whose hand cannot be known. Their passcodes are asked for here, so that wrong ones
  /// are counted.
  private func fromElsewhere(_ use: Use) throws(Interruption) -> Verdict {
    guard policy == .deviceOwnerAuthentication else { return .biometryNotAvailable }
    return try runPasscode(.readerUnavailable, use)
  }

  private func withoutFingers(_ verdict: Verdict, _ use: Use) throws(Interruption) -> Verdict {
    guard policy == .deviceOwnerAuthentication else { return verdict }
    if case .login = purpose { return verdict }
    return try runPasscode(.readerUnavailable, use)
  }

  private enum Settlement {
    case used
    /// A lock came while the reader was armed: the match counts for nothing.
    case overtaken
  }

  /// Uses the evidence of a finger, and then clears the strikes. `first`: what the finger opens before that.
  private func settle(
    _ match: consuming Scan.Match, _ first: borrowing Vault.FirstOpening?, _ use: Use
  ) throws(Interruption) -> Settlement {
    let (finger, reader, isNamed) = (match.finger, match.reader, match.isNamed)
    var evidence: AuthenticationEvidence? = match.evidence
    // From the reply on the client may ask again; it must not find the reader held by its own last authentication.
    reader.finish()
    var isUsed = false
    let cleared = match.strike.match {
      guard let evidence = evidence.take(), opens(first) else { return }
      // Before the reply: the next login must not ask for another one.
      if isNamed { attempt.account.nextFinger = finger }
      isUsed = (try? use(evidence, finger)) != nil
      reader.release()
      attempt.prover.audit.flush()
    }
    if case .failure(let error) = cleared {
      Log.write(.error, "the strikes of \(attempt.user.name) could not be cleared: \(error.description)")
      attempt.record(.stateUnusable)
    }
    if evidence != nil {
      attempt.record(.strikeKept(strikes: attempt.strikes))
      return .overtaken
    }
    if isNamed { keepMatched(finger) }
    guard isUsed else { throw .closed }
    return .used
  }

  /// Once the user is let in. Where it cannot be kept another finger is asked for first the next time, by its name as well.
  private func keepMatched(_ finger: Finger) {
    do throws(SystemError) { try attempt.store.value.keepMatched(finger, of: attempt.user.uid) } catch {
      Log.write(.notice, error.description, attempt.fields)
    }
  }

  /// What lets the next finger open the vault, the first time after a restart; `nil` where it does not, and the passcode has to.
  private func firstOpening(_ status: Account.LockoutStatus, required: LockReason) -> Vault.FirstOpening? {
    let (vault, user) = (attempt.prover.vault, attempt.user)
    guard purpose != .verification, status.isFirstUse, status.lockOfFirstUse == .none,
      required == .none || required == .vaultClosed, !vault.isOpen(user.uid)
    else { return nil }
    do throws(FingerAfterRestart) { return try vault.openDeviceSlot(of: user) } catch {
      if error != .off { Log.write(.notice, "no finger opens the vault after this restart: \(error)", attempt.fields) }
      return nil
    }
  }

  /// Opens the vault where a finger does that. False where a lock came in between: then the finger proves nothing.
  private func opens(_ first: borrowing Vault.FirstOpening?) -> Bool {
    switch first {
    case .none: return true
    case .some(let first):
      guard attempt.prover.vault.adopt(first) else { return false }
      Log.write(.info, "vault opened by the first finger after a restart", [("user", attempt.user.name)])
      return true
    }
  }

  /// The finger beside the passcode, whose question stands: the reader is there again.
  private func scanBeside(
    _ away: AwayReader, _ evaluation: inout Evaluation, _ use: Use
  ) throws(Interruption) -> PasscodeDialog.Question {
    guard evaluation.readerReturned(isLocked: attempt.account.status.lock != .none) else {
      away.wasTried(true)
      return .open
    }
    let scan = Scan(attempt: attempt, fingers: away.fingers, liftsRestart: false, away: away)
    defer { away.note(evaluation.lastStop) }
    switch try scan.run(&evaluation, attempt.prover.passcodes.presence.ask(about: attempt.user)) {
    case .matched(let match):
      if try settle(match, nil, use) == .used { return .ended(.success) }
      _ = try scan.ended(evaluation.begin(isLocked: true))
      return .open
    // The client typed its answer to the question that stands while the reader scanned.
    case .stopped(.askPasscode(.userFallback)): return .answered
    case .stopped(.end(let verdict)): return .ended(verdict)
    case .stopped: return .open
    case .held: return .open
    }
  }

  private func askPasscode(
    _ reason: PasscodeReason, _ evaluation: inout Evaluation, _ away: AwayReader?, _ use: Use
  ) throws(Interruption) -> Verdict {
    if purpose == .application, let verdict = try obstacle() { return verdict }
    let dialog = PasscodeDialog(attempt)
    var (reason, left) = (reason, purpose == .application ? Authentication.passcodeTries : 1)
    while true {
      let checked = try dialog.prove(reason, away) { () throws(Interruption) in
        guard let away else { return .open }
        return try scanBeside(away, &evaluation, use)
      }
      switch consume checked {
      case .right(let right): return try settle(right, dialog, &evaluation, use)
      case .refused(let outcome):
        left -= 1
        // Where the next one has to wait, the user was told of that.
        let isDelayed = attempt.account.passcodes(from: attempt.source).delay > 0
        guard outcome == .wrong, left > 0, !isDelayed else { return verdict(outcome) }
        try attempt.client.show(.wrongPasscode, value: UInt8(left))
        reason = .wrongPasscode
      }
    }
  }

  /// Why the passcode is not asked for: there is none, or the client does not wait until that is known.
  private func obstacle() throws(Interruption) -> Verdict? {
    attempt.client.phase = .working
    switch try attempt.prover.passcodes.presence.ask(about: attempt.user).wait(for: attempt.client) {
    case .answer(.notSet): return .passcodeNotSet
    case .request(.cancel): return .userCancel
    case .answer, .request: return nil
    }
  }

  private func verdict(_ outcome: PasscodeDialog.Outcome) -> Verdict {
    switch outcome {
    case .wrong: .authenticationFailed
    // The same verdict as after five strikes: the stack must not go on to another passcode prompt.
    case .delayed: purpose == .application ? .authenticationFailed : .biometryLockout
    case .notSet: .passcodeNotSet
    case .unavailable, .undecided, .fingerWanted: .biometryNotAvailable
    case .ended(let verdict): verdict
    case .cancelled: .userCancel
    }
  }

  private func settle(
    _ right: consuming PasscodeDialog.RightPasscode, _ dialog: PasscodeDialog, _ evaluation: inout Evaluation, _ use: Use
  ) throws(Interruption) -> Verdict {
    let (opening, process) = (right.opening, right.process)
    defer { withExtendedLifetime(process) {} }
    let passcode = right.passcode
    switch purpose {
    case .login(let keepsLoginSecret):
      // The user is let in before the disk is waited for, as by a finger: what a power cut keeps of it errs towards the lock.
      var isUsed: Bool?
      let counts = dialog.settle(right.guess) {
        guard let evidence = evaluation.passcodeVerified() else { return }
        isUsed = (try? use(evidence, nil)) != nil
        attempt.prover.audit.flush()
      }
      guard counts else { return .biometryNotAvailable }
      guard let isUsed else { return .authenticationFailed }
      guard isUsed else { throw .closed }
      dialog.openVault(passcode, opening, keepsLoginSecret: keepsLoginSecret)
    case .vault, .application:
      guard dialog.settle(right.guess) else { return .biometryNotAvailable }
      guard let evidence = evaluation.passcodeVerified() else { return .authenticationFailed }
      // What an application asks next is most likely an item: its user does not type the passcode again to make the vault.
      guard try dialog.openVaultFirst(passcode, opening, creates: true) else { return .userCancel }
      try use(evidence, nil)
      if purpose == .application { attempt.prover.audit.flush() }
    // By finger only.
    case .verification: return .biometryNotAvailable
    }
    return .success
  }

  /// The user's fingers; `nil`, logged, where the state cannot be read at all.
  private func enrolledFingers() -> AccountStore.Fingers? {
    let store = attempt.store
    do {
      var fingers = store.value.withDeviceKey(try store.value.fingers(of: attempt.user))
      fingers.usable.removeAll { !attempt.prover.configuration.usesReader($0.reader) || !attempt.request.wanted.include($0) }
      for problem in fingers.unusable { Log.write(.error, "left out: \(problem.description)", attempt.fields) }
      return fingers
    } catch {
      Log.write(.error, error.description, attempt.fields)
      attempt.record(.stateUnusable)
      return nil
    }
  }
}

extension AccountStore.Fingers {
  /// Why none of those that are enrolled can be asked for, as `UnavailableForm` says; `nil` where one can.
  fileprivate var obstacle: UInt8? {
    guard usable.isEmpty, !unusable.isEmpty else { return nil }
    let isOtherName = unusable.contains { if case .templateOfOther = $0 { true } else { false } }
    return isOtherName ? UnavailableForm.otherName : UnavailableForm.noUsableFinger
  }
}
