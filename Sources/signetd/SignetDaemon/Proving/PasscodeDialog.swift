import DaemonAccounts
import DaemonConnections
import DaemonPasscodes
import DaemonService
import DaemonVaults
import SignetBytes
import SignetVocabulary
import SignetWire

/// A passcode's way through signetd, in three steps: it is asked for, checked, and what was charged for it is settled.
package struct PasscodeDialog {
  let attempt: Attempt

  package init(_ attempt: Attempt) { self.attempt = attempt }

  package typealias Interruption = ClientConnection.Interruption

  /// Why there is no verified passcode.
  package enum Outcome: Equatable {
    case wrong, notSet, unavailable, cancelled
    /// The stack had the passcode and could not decide; it counts as a wrong one.
    case undecided
    /// Not looked at: too many were wrong. The user was told how long to wait.
    case delayed
    /// The user wants the finger that comes after it.
    case fingerWanted
    /// A finger on a reader that came back has ended it all, while the question stood.
    case ended(Verdict)
  }

  /// What a scan while the question stands leaves of it.
  enum Question {
    case open
    /// The client has answered, which is yet to be read.
    case answered
    case ended(Verdict)
  }

  /// A reader that may come back while the question stands, and what to do with it then.
  typealias ReaderBack = () throws(Interruption) -> Question

  /// How long the user may take to type, in milliseconds. The prompt is the host's, which has limits of its own.
  static let answerLimit: Int64 = 10 * 60_000
  /// How long the PAM stack may take, in milliseconds; a directory service may be slow.
  private static let checkLimit: Int64 = 55_000

  private var client: ClientConnection { attempt.client }

  /// Asks for the passcode, unless it was asked for already, and has it checked.
  func prove(
    _ reason: PasscodeReason, _ away: AwayReader? = nil, _ readerBack: ReaderBack = { .open }
  ) throws(Interruption) -> Checked {
    switch try ask(reason, away, readerBack) {
    case .typed(let typed): return try check(typed)
    case .refused(let outcome): return .refused(outcome)
    }
  }

  // MARK: - asking

  package enum Asked: ~Copyable {
    case typed(TypedPasscode)
    case refused(Outcome)
  }

  package func ask(_ reason: PasscodeReason) throws(Interruption) -> Asked { try ask(reason, nil) { .open } }

  /// `away`: a reader that may come back while the question stands. `readerBack` is called when it is there.
  private func ask(
    _ reason: PasscodeReason, _ away: AwayReader?, _ readerBack: ReaderBack
  ) throws(Interruption) -> Asked {
    let delay = attempt.account.passcodes(from: attempt.source).delay
    if delay > 0 { return .refused(try delayed(delay)) }
    let phase: PermittedRequests.Phase = reason == .oldPasscode ? .oldPasscode : .passcode
    client.phase = phase
    try client.send(AdministrationReply.askPasscode(reason))
    client.learnProcess()
    let deadline = away?.deadline ?? bootMilliseconds() + PasscodeDialog.answerLimit
    var arrived: RequestKind?
    while true {
      // No heartbeats: the client is in its own conversation with the user and does not read.
      let ready =
        if let kind = arrived.take() {
          ClientConnection.Ready.request(kind)
        } else {
          try client.wait(for: away?.descriptor ?? -1, until: deadline, heartbeats: false)
        }
      switch ready {
      case .request(.passcode): return try readTyped()
      case .request(.cancel), .deadline: return .refused(.cancelled)
      case .request(.fallback) where reason == .passcodeFirst: return .refused(.fingerWanted)
      case .request(.follow): away?.follow()
      case .request, .tick: continue
      case .other: break
      }
      switch try away?.isBack() {
      case .request(let kind): arrived = kind
      case .answer(false), nil: continue
      case .answer(true):
        switch try readerBack() {
        case .open: client.phase = phase
        case .answered: return try readTyped()
        case .ended(let verdict): return .refused(.ended(verdict))
        }
      }
    }
  }

  private func readTyped() throws(Interruption) -> Asked {
    let typed = try client.readSecret { fields throws(FormatError) in
      TypedPasscode(try PasscodeRequest(parsing: fields).passcode)
    }
    guard let typed else { return .refused(.unavailable) }
    return .typed(typed)
  }

  // MARK: - checking

  enum Checked: ~Copyable {
    case right(RightPasscode)
    case refused(Outcome)
  }

  /// A passcode that was right, and what is still to be settled for it.
  struct RightPasscode: ~Copyable {
    let passcode: VerifiedPasscode
    let guess: ChargedPasscode
    /// Begun before the passcode is settled, so that a lock which comes meanwhile keeps the vault closed.
    let opening: PendingOpening
    /// The signet-passcode that checked it. Its end takes the kernel a while, for which nobody need wait.
    let process: ChildProcess
  }

  /// Charges the passcode, as a wrong one, and has it checked. A right one is still charged when this returns.
  func check(_ typed: consuming TypedPasscode) throws(Interruption) -> Checked {
    client.phase = .working
    let deadline = bootMilliseconds() + PasscodeDialog.checkLimit
    let turn: PasscodeTurn
    switch try awaitTurn(until: deadline) {
    case .turn(let begun): turn = begun
    case .refused(let outcome): return .refused(outcome)
    }
    // It makes itself ready while the charge is written.
    guard let process = attempt.prover.passcodes.start(for: attempt.user) else {
      attempt.record(.passcodeUnavailable)
      return .refused(.unavailable)
    }
    let guess: ChargedPasscode
    switch try charge(turn) {
    case .begun(let begun): guess = begun
    case .refused(let outcome): return .refused(outcome)
    }
    let answer: PasscodeChecker.Answer
    do throws(Interruption) {
      answer = try attempt.prover.passcodes.check(typed, of: attempt.user, by: process, for: client, until: deadline)
    } catch {
      recordLeave(guess)
      throw error
    }
    switch consume answer {
    case .right(let passcode):
      return .right(
        RightPasscode(
          passcode: passcode, guess: guess, opening: attempt.prover.vault.beginOpening(attempt.user.uid), process: process))
    case .notSet:
      guess.giveBack()
      attempt.prover.vault.removeItemsOfPasscode(of: attempt.user)
      return .refused(.notSet)
    case .unavailable:
      guess.giveBack()
      attempt.record(.passcodeUnavailable)
      return .refused(.unavailable)
    case .notEnough:
      guess.giveBack()
      try client.show(.passcodeNotEnough)
      return .refused(.unavailable)
    case .wrong: return .refused(try settleWrong(guess, as: .wrong))
    case .undecided: return .refused(try settleWrong(guess, as: .undecided))
    // How long the stack took may have told that it was a wrong one.
    case .cancelled: return .refused(try settleWrong(guess, as: .cancelled))
    }
  }

  private enum Begun: ~Copyable {
    case begun(ChargedPasscode)
    case refused(Outcome)
  }

  private enum Turn {
    case turn(PasscodeTurn)
    case refused(Outcome)
  }

  private func awaitTurn(until deadline: Int64) throws(Interruption) -> Turn {
    let passcodes = attempt.prover.passcodes
    let waiter = passcodes.turns.join()
    while true {
      waiter.looks()
      if let turn = passcodes.turn(of: attempt.user.uid, in: attempt.source.lane) { return .turn(turn) }
      switch try client.wait(for: waiter.descriptor, until: deadline) {
      case .request(.cancel): return .refused(.cancelled)
      case .deadline: return .refused(.unavailable)
      case .request, .other, .tick: continue
      }
    }
  }

  private func charge(_ turn: consuming PasscodeTurn) throws(Interruption) -> Begun {
    do {
      return .begun(try attempt.account.chargePasscode(from: attempt.source, during: turn))
    } catch {
      switch error {
      case .delayed(let delay): return .refused(try delayed(delay))
      case .busy: return .refused(.unavailable)
      }
    }
  }

  // MARK: - settling

  /// The passcode was right: runs `tell`, and then strikes, locks and delays are cleared. False, and nothing was told, where the check
  /// does not count any more.
  func settle(_ guess: consuming ChargedPasscode, _ tell: () -> Void = {}) -> Bool {
    let before = guess.before
    return guess.verified {
      // Who has no fingers has nothing that could have been locked.
      if hasFingers, before.strikes > 0 || before.lock != .none {
        attempt.record(.passcodeVerified, .unlocked(strikes: before.strikes))
      } else {
        attempt.record(.passcodeVerified)
      }
      tell()
    }
  }

  /// Whether any finger of the user's is known to be enrolled.
  var hasFingers: Bool { (try? attempt.store.value.fingers(of: attempt.user).isEmpty) == false }

  /// The passcode counts as a wrong one.
  func settleWrong(_ guess: consuming ChargedPasscode, as outcome: Outcome) throws(Interruption) -> Outcome {
    attempt.prover.passcodes.accounts.doubt(attempt.user.uid)
    attempt.record(.wrongPasscode(count: guess.number, isCancelled: outcome == .cancelled))
    guess.keep()
    let delay = attempt.account.passcodes(from: attempt.source).delay
    if delay > 0 { _ = try delayed(delay) }
    return outcome
  }

  /// Records that the client left while its passcode was checked, which counts as a wrong one.
  func recordLeave(_ guess: borrowing ChargedPasscode) {
    attempt.prover.passcodes.accounts.doubt(attempt.user.uid)
    attempt.record(.wrongPasscode(count: guess.number, isCancelled: true))
  }

  private func delayed(_ seconds: UInt64) throws(Interruption) -> Outcome {
    let minutes = UInt8(clamping: (seconds + 59) / 60)
    attempt.record(.passcodeDelayed(minutes: Int(minutes)))
    try client.show(.passcodeDelayed, value: DelayForm.value(of: seconds))
    return .delayed
  }
}
