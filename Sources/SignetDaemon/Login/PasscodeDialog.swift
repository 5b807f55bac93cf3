import CLinux
import DaemonAccounts
import DaemonConnections
import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire

/// Asks a client for the passcode and has signet-passcode check it.
struct PasscodeDialog {
  let daemon: Daemon
  let client: ClientConnection
  let user: User
  /// As the client says, for the record.
  var service = ""
  var terminal = ""
  /// The passcode itself, for the vault.
  var kept = KeptPasscode()

  enum Outcome: Equatable {
    case verified, wrong, notSet, unavailable, cancelled
    /// The stack had the passcode and could not decide; it counts as a wrong one.
    case undecided
    /// Not looked at: too many were wrong. The user was told how long to wait.
    case delayed
  }

  /// How long the user may take to type, in milliseconds. The prompt is the host's, which has limits of its own.
  private static let answerLimit: Int64 = 10 * 60_000
  /// How long the PAM stack may take, in milliseconds; a directory service may be slow.
  private static let checkLimit: Int64 = 55_000

  func run(_ reason: PasscodeReason) throws(ClientConnection.Interruption) -> Outcome {
    if let refused = try ask(reason, for: kept) { return refused }
    return try check()
  }

  /// Asks, and keeps the answer there; otherwise the outcome.
  func ask(_ reason: PasscodeReason, for kept: KeptPasscode) throws(ClientConnection.Interruption) -> Outcome? {
    let delay = daemon.accounts[user.uid].standing.passcodeDelay
    if delay > 0 { return try delayed(delay) }
    client.phase = reason == .oldPasscode ? .oldPasscode : .passcode
    try client.send(AdministrationReply.askPasscode(reason))
    client.learnProcess()
    let deadline = bootMilliseconds() + PasscodeDialog.answerLimit
    while true {
      // No heartbeats: the client is in its own conversation with the user and does not read.
      switch try client.wait(until: deadline, heartbeats: false) {
      case .request(.passcode):
        try client.readSecret { fields throws(FormatError) in kept.keep(try PasscodeRequest(parsing: fields).passcode) }
        return nil
      case .request(.cancel): return .cancelled
      case .deadline: return .cancelled
      case .request, .other, .tick: continue
      }
    }
  }

  /// Has the kept passcode checked. `another`: whether another one that belongs to it is right, too, asked where this one is;
  /// the two are one guess, which the wrong one of them makes wrong.
  func check(
    and another: () throws(ClientConnection.Interruption) -> Bool = { true }
  ) throws(ClientConnection.Interruption) -> Outcome {
    client.phase = .working
    let deadline = bootMilliseconds() + PasscodeDialog.checkLimit
    // One at a time for a user: the stack's own delay after a wrong passcode then slows guessing for good.
    while !daemon.passcodes.begin(user.uid) {
      switch try client.wait(until: min(deadline, bootMilliseconds() + 50)) {
      case .request(.cancel): return .cancelled
      case .deadline where bootMilliseconds() >= deadline: return .unavailable
      case .request, .deadline, .other, .tick: continue
      }
    }
    defer { daemon.passcodes.end(user.uid) }
    let before = daemon.accounts[user.uid].standing
    let charge: ChargedPasscode
    do { charge = try daemon.accounts[user.uid].chargePasscode() } catch {
      switch error {
      case .delayed(let delay): return try delayed(delay)
      case .busy: return .unavailable
      }
    }
    let outcome = try recordingLeave(before) { () throws(ClientConnection.Interruption) in try askStack(until: deadline) }
    switch outcome {
    case .verified: return try settleRight(charge, before, and: another)
    case .notSet:
      charge.giveBack()
      daemon.vault.removeItemsOfPasscode(of: user)
    case .unavailable:
      charge.giveBack()
      record(.passcodeUnavailable)
    case .wrong, .cancelled, .delayed, .undecided:
      try countWrong(charge, before, isCancelled: outcome == .cancelled)
    }
    return outcome
  }

  private func settleRight(
    _ charge: consuming ChargedPasscode, _ before: Account.Standing,
    and another: () throws(ClientConnection.Interruption) -> Bool
  ) throws(ClientConnection.Interruption) -> Outcome {
    kept.isVerified(daemon.vault.keys.ticket(user.uid), opening: daemon.vault.openings.begin(user.uid))
    guard try recordingLeave(before, another) else {
      try countWrong(charge, before)
      return .wrong
    }
    guard charge.verified() else {
      kept.forget()
      return .unavailable
    }
    recordVerified(before)
    return .verified
  }

  /// Who leaves while a passcode is looked at has entered a wrong one.
  private func recordingLeave<Value>(
    _ before: Account.Standing, _ look: () throws(ClientConnection.Interruption) -> Value
  ) throws(ClientConnection.Interruption) -> Value {
    do throws(ClientConnection.Interruption) { return try look() } catch {
      record(.wrongPasscode(count: before.wrongPasscodes + 1, isCancelled: true))
      throw error
    }
  }

  func record(_ events: Event...) {
    daemon.audit.record(events, of: user, by: Requester(client, service: service, terminal: terminal))
  }

  /// Who has no fingers has nothing that could have been locked.
  private func recordVerified(_ before: Account.Standing) {
    let isEnrolled = (try? daemon.store.value.fingers(of: user).isEmpty) == false
    let isUnlocked = isEnrolled && (before.strikes > 0 || before.lock != .none)
    if isUnlocked { record(.passcodeVerified, .unlocked(strikes: before.strikes)) } else { record(.passcodeVerified) }
  }

  /// A cancelled check counts as a wrong passcode: how long the stack took may have told that it was one.
  private func countWrong(
    _ charge: consuming ChargedPasscode, _ before: Account.Standing, isCancelled: Bool = false
  ) throws(ClientConnection.Interruption) {
    record(.wrongPasscode(count: before.wrongPasscodes + 1, isCancelled: isCancelled))
    charge.keep()
    let delay = daemon.accounts[user.uid].standing.passcodeDelay
    if delay > 0 { _ = try delayed(delay) }
  }

  private func delayed(_ seconds: UInt64) throws(ClientConnection.Interruption) -> Outcome {
    let minutes = UInt8(clamping: (seconds + 59) / 60)
    record(.passcodeDelayed(minutes: Int(minutes)))
    try client.show(.passcodeDelayed, value: minutes)
    return .delayed
  }

  private func askStack(until deadline: Int64) throws(ClientConnection.Interruption) -> Outcome {
    do {
      let process = try ChildProcess(path: daemon.passcodePath, arguments: [])
      guard kept.withPasscode({ send($0.span, to: process) }) == true else { return .unavailable }
      return try awaitAnswer(of: process, until: deadline)
    } catch let error as SystemError {
      Log.write(.error, "cannot check a passcode: \(error.description)", [("user", user.name)])
      return .unavailable
    } catch {
      throw error as? ClientConnection.Interruption ?? .closed
    }
  }

  private func send(_ passcode: Span<UInt8>, to process: ChildProcess) -> Bool {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return false }
    let check = PasscodeCheck(
      user: user.name, service: daemon.configuration.passcodeService, confdir: daemon.configuration.passcodeConfdir,
      passcode: passcode)
    do {
      try check.write(into: &packet)
      try Channel.send(packet, on: process.channel.raw)
      return true
    } catch {
      return false
    }
  }

  private func awaitAnswer(of process: ChildProcess, until deadline: Int64) throws(ClientConnection.Interruption) -> Outcome {
    while true {
      switch try client.wait(for: process.channel.raw, until: deadline) {
      case .other: return answer(of: process)
      case .request(.cancel): return .cancelled
      case .deadline: return .unavailable
      case .request, .tick: if !process.isRunning, !hasAnswer(process) { return .unavailable }
      }
    }
  }

  private func hasAnswer(_ process: ChildProcess) -> Bool {
    // An answer may have come between the wait and the end of the process; reading it is the next round's.
    var byte: UInt8 = 0
    return unsafe recv(process.channel.raw, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  private func answer(of process: ChildProcess) -> Outcome {
    guard var packet = SecretBytes(capacity: PacketLimit.packet),
      (try? Channel.receive(into: &packet, from: process.channel.raw)) == true,
      let answer = try? PasscodeAnswer(parsing: packet.span)
    else {
      Log.write(.error, "signet-passcode ended without an answer", [("user", user.name)])
      return .unavailable
    }
    switch answer.outcome {
    case .verified: return .verified
    case .wrong: return .wrong
    case .notSet: return .notSet
    case .unavailable, .undecided:
      let service = daemon.configuration.passcodeService
      Log.write(
        .error, "PAM service \(service) could not check a passcode: is /etc/pam.d/\(service) installed?",
        [("user", user.name), ("code", "\(answer.code)")])
      return answer.outcome == .undecided ? .undecided : .unavailable
    }
  }
}
