import CLinux
import DaemonConnections
import DaemonService
import Glibc
import SignetAuthentication
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire
import Synchronization

/// Has signet-passcode ask the PAM stack about passcodes, one at a time for each user and lane of sources.
package final class PasscodeChecker: Sendable {
  private let path: String
  private let service: String
  private let confdir: String
  /// Whether users have a passcode at all.
  package let presence: PasscodePresence
  /// Whether their accounts are open.
  package let accounts: AccountStanding
  private let busy = Mutex<Set<PasscodeTurn.Slot>>([])
  /// Those who wait for a turn.
  package let turns = WaitingList()
  /// Whether the log says already that the stack asks for more than the passcode: it will each time.
  private let isAskedMoreLogged = Atomic(false)

  /// `path` is signet-passcode's, `service` the PAM service that decides, and `confdir` where its file is (empty for the
  /// system's folder).
  package init(path: String, service: String, confdir: String) {
    self.path = path
    self.service = service
    self.confdir = confdir
    // Only the system's folder checks the passcodes of shadow(5).
    presence = PasscodePresence(path: path, isAsked: confdir.isEmpty)
    accounts = AccountStanding(path: path, service: service, confdir: confdir)
  }

  /// What became of a check.
  package enum Answer: ~Copyable {
    case right(VerifiedPasscode)
    case wrong, notSet
    /// The stack may have had the passcode, and nobody knows what it made of it; it counts as a wrong one.
    case undecided
    /// The stack was not asked: signet-passcode did not get the passcode, or says itself that it asked nobody.
    case unavailable
    /// The stack wanted more than the passcode, of which nothing was found out.
    case notEnough
    /// The client cancelled while the stack had the passcode.
    case cancelled
  }

  /// The right to have one check under way for a user, until it is let go; `nil` where another of the same lane has it, and then
  /// `turns` tells when to ask again.
  ///
  /// With one at a time the stack's own delay after a wrong passcode slows guessing down, however many ask at once; and with a
  /// lane for each, strangers whose checks are slow do not hold the user up.
  package func turn(of uid: UInt32, in lane: PasscodeSource.Lane) -> PasscodeTurn? {
    let slot = PasscodeTurn.Slot(uid: uid, lane: lane)
    return busy.withLock { $0.insert(slot).inserted } ? PasscodeTurn(checker: self, slot: slot) : nil
  }

  fileprivate func end(_ slot: PasscodeTurn.Slot) {
    busy.withLock { _ = $0.remove(slot) }
    turns.wake()
  }

  /// Starts a signet-passcode that is yet to be told the passcode: it loads the stack's modules while something else is waited for. `nil`,
  /// logged, where it cannot be started.
  package func start(for user: User) -> ChildProcess? {
    do {
      let process = try ChildProcess(path: path, arguments: [])
      // One that ended already is found out when it is to get the passcode.
      _ = process.takes(PasscodeStack(user: user.name, service: service, confdir: confdir))
      return process
    } catch {
      Log.write(.error, "cannot check a passcode: \(error.description)", [("user", user.name)])
      return nil
    }
  }

  /// Has a signet-passcode from `start` ask the stack, and waits for its answer and for the client at a time.
  ///
  /// From the moment when the passcode is sent nobody gets it back by ending signet-passcode: how long the stack took may have
  /// told that it was a wrong one.
  package func check(
    _ passcode: consuming TypedPasscode, of user: User, by process: ChildProcess, for client: ClientConnection,
    until deadline: Int64
  ) throws(ClientConnection.Interruption) -> Answer {
    guard process.takes(PasscodeCheck(passcode: passcode.span)) else { return .unavailable }
    while true {
      switch try client.wait(for: process.channel.raw, until: deadline) {
      case .other: return answer(of: process, passcode, user)
      case .request(.cancel): return .cancelled
      case .deadline: return lost("did not answer in time", user)
      case .request, .tick: if !process.isRunning, !hasAnswer(process) { return lost("ended without an answer", user) }
      }
    }
  }

  /// An answer may have come between the wait and the end of the process; the next round reads it.
  private func hasAnswer(_ process: ChildProcess) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(process.channel.raw, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  private func lost(_ what: String, _ user: User) -> Answer {
    Log.write(.error, "signet-passcode \(what)", [("user", user.name)])
    return .undecided
  }

  private func answer(of process: ChildProcess, _ passcode: consuming TypedPasscode, _ user: User) -> Answer {
    guard var packet = SecretBytes(capacity: PacketLimit.packet),
      (try? Channel.receive(into: &packet, from: process.channel.raw)) == true,
      let answer = try? PasscodeAnswer(parsing: packet.span)
    else { return lost("ended without an answer", user) }
    switch answer.outcome {
    case .verified: return .right(VerifiedPasscode(checked: passcode, of: user))
    case .wrong: return .wrong
    case .notSet: return .notSet
    case .isSet, .accountOpen, .accountClosed, .passcodeExpired, .accountUnknown:
      return lost("answered what it was not asked", user)
    case .asksMore:
      logAskedMore(user)
      return .notEnough
    case .unavailable, .undecided:
      Log.write(
        .error, "PAM service \(service) could not check a passcode: is /etc/pam.d/\(service) installed?",
        [("user", user.name), ("code", "\(answer.code)")])
      return answer.outcome == .undecided ? .undecided : .unavailable
    }
  }

  private func logAskedMore(_ user: User) {
    guard !isAskedMoreLogged.exchange(true, ordering: .relaxed) else { return }
    Log.write(
      .error, "PAM service \(service) asks for more than the passcode, so none can be checked: signet check-pam \(service)",
      [("user", user.name)])
  }
}

/// A turn to have a passcode checked; the next one's in the lane begins when it is let go.
package final class PasscodeTurn {
  /// Whose passcode, and in which lane.
  fileprivate struct Slot: Hashable {
    var uid: UInt32
    var lane: PasscodeSource.Lane
  }

  private let checker: PasscodeChecker
  private let slot: Slot

  fileprivate init(checker: PasscodeChecker, slot: Slot) {
    self.checker = checker
    self.slot = slot
  }

  deinit { checker.end(slot) }
}

extension ChildProcess {
  /// Sends signet-passcode a message; false where it does not get it.
  func takes(_ message: borrowing some MessageForm & ~Escapable) -> Bool {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return false }
    do {
      try message.write(into: &packet)
      try Channel.send(packet, on: channel.raw)
      return true
    } catch {
      return false
    }
  }
}
