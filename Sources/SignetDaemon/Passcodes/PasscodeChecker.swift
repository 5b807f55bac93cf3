import CLinux
import DaemonConnections
import DaemonService
import Glibc
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire
import Synchronization

/// Has signet-passcode ask the PAM stack about passcodes, one a user at a time.
package final class PasscodeChecker: Sendable {
  private let path: String
  private let service: String
  private let confdir: String
  private let busy = Mutex<Set<UInt32>>([])

  /// `path` is signet-passcode's, `service` the PAM service that decides, and `confdir` where its file is (empty for the
  /// system's folder).
  package init(path: String, service: String, confdir: String) {
    self.path = path
    self.service = service
    self.confdir = confdir
  }

  /// What became of a check.
  package enum Answer: ~Copyable {
    case right(VerifiedPasscode)
    case wrong, notSet
    /// The stack had the passcode and could not decide; it counts as a wrong one.
    case undecided
    /// The stack could not be asked.
    case unavailable
    /// The client cancelled while the stack had the passcode.
    case cancelled
  }

  /// The right to have one check under way for a user, until it is let go; `nil` where another has it.
  ///
  /// With one at a time the stack's own delay after a wrong passcode slows guessing down, however many ask at once.
  package func turn(of uid: UInt32) -> PasscodeTurn? {
    busy.withLock { $0.insert(uid).inserted } ? PasscodeTurn(checker: self, uid: uid) : nil
  }

  fileprivate func end(_ uid: UInt32) { busy.withLock { _ = $0.remove(uid) } }

  /// Asks the stack, and waits for its answer and for the client at a time.
  package func check(
    _ passcode: consuming TypedPasscode, of user: User, for client: ClientConnection, until deadline: Int64
  ) throws(ClientConnection.Interruption) -> Answer {
    let process: ChildProcess
    do { process = try ChildProcess(path: path, arguments: []) } catch {
      Log.write(.error, "cannot check a passcode: \(error.description)", [("user", user.name)])
      return .unavailable
    }
    guard send(passcode.span, of: user, to: process) else { return .unavailable }
    while true {
      switch try client.wait(for: process.channel.raw, until: deadline) {
      case .other: return answer(of: process, passcode, user)
      case .request(.cancel): return .cancelled
      case .deadline: return .unavailable
      case .request, .tick: if !process.isRunning, !hasAnswer(process) { return .unavailable }
      }
    }
  }

  private func send(_ passcode: Span<UInt8>, of user: User, to process: ChildProcess) -> Bool {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return false }
    let check = PasscodeCheck(user: user.name, service: service, confdir: confdir, passcode: passcode)
    do {
      try check.write(into: &packet)
      try Channel.send(packet, on: process.channel.raw)
      return true
    } catch {
      return false
    }
  }

  /// An answer may have come between the wait and the end of the process; the next round reads it.
  private func hasAnswer(_ process: ChildProcess) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(process.channel.raw, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  private func answer(of process: ChildProcess, _ passcode: consuming TypedPasscode, _ user: User) -> Answer {
    guard var packet = SecretBytes(capacity: PacketLimit.packet),
      (try? Channel.receive(into: &packet, from: process.channel.raw)) == true,
      let answer = try? PasscodeAnswer(parsing: packet.span)
    else {
      Log.write(.error, "signet-passcode ended without an answer", [("user", user.name)])
      return .unavailable
    }
    switch answer.outcome {
    case .verified: return .right(VerifiedPasscode(checked: passcode, of: user))
    case .wrong: return .wrong
    case .notSet: return .notSet
    case .unavailable, .undecided:
      Log.write(
        .error, "PAM service \(service) could not check a passcode: is /etc/pam.d/\(service) installed?",
        [("user", user.name), ("code", "\(answer.code)")])
      return answer.outcome == .undecided ? .undecided : .unavailable
    }
  }
}

/// One user's turn to have a passcode checked; the next one's begins when it is let go.
package struct PasscodeTurn: ~Copyable {
  private let checker: PasscodeChecker
  private let uid: UInt32

  fileprivate init(checker: PasscodeChecker, uid: UInt32) {
    self.checker = checker
    self.uid = uid
  }

  deinit { checker.end(uid) }
}
