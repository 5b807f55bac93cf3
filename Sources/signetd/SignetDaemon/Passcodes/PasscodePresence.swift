import DaemonConnections
import DaemonService
import Glibc
import SignetMemory
import SignetVocabulary
import SignetWire
import Synchronization

/// Whether users have a passcode. Who has none, or a locked one, is asked for no finger either: locking the passcode is how an
/// administrator keeps somebody out.
///
/// Only signet-passcode reads shadow(5). What it said holds until one of the files changes, so that a login by finger costs two
/// calls of stat(2) more, and no process.
package final class PasscodePresence: Sendable {
  /// What is known of a user's passcode.
  package enum Answer: Equatable, Sendable {
    case isSet, notSet
    /// signet-passcode did not say.
    case unknown
  }

  /// How long the answer may take, in milliseconds. It comes before the reader is armed.
  private static let limit: Int64 = 2_000

  private let path: String
  private let isAsked: Bool
  private let known = Mutex(Known())

  /// What was said, all of it of the files as they are in `state`.
  private struct Known {
    var state: [FileState?] = []
    var answers: [String: Answer] = [:]
  }

  /// `path` is signet-passcode's. `isAsked`: whether passcodes are those of shadow(5); where another folder has the service that
  /// checks them, they need not be, and everybody counts as having one.
  package init(path: String, isAsked: Bool) {
    self.path = path
    self.isAsked = isAsked
  }

  /// A question whose answer may be there already.
  package struct Question: ~Copyable {
    private let presence: PasscodePresence
    private let user: User
    /// The files before the question, so that an answer from before a change is not kept for after it.
    private let state: [FileState?]
    /// `nil` where signet-passcode could not be asked, or need not be.
    private let process: ChildProcess?
    /// The answer, where nobody need be asked.
    package let answer: Answer?

    fileprivate init(
      _ presence: PasscodePresence, _ user: User, _ state: [FileState?] = [], process: ChildProcess? = nil, answer: Answer? = nil
    ) {
      self.presence = presence
      self.user = user
      self.state = state
      self.process = process
      self.answer = answer
    }

    /// Waits for the answer and for the client at a time.
    package func wait(for client: ClientConnection) throws(ClientConnection.Interruption) -> Waited<Answer> {
      if let answer { return .answer(answer) }
      guard let process else { return .answer(.unknown) }
      let deadline = bootMilliseconds() + PasscodePresence.limit
      while true {
        switch try client.wait(for: process.channel.raw, until: deadline) {
        case .other: return .answer(presence.keep(PasscodePresence.answer(of: process), of: user, state))
        case .request(let kind): return .request(kind)
        case .deadline: return .answer(.unknown)
        case .tick: continue
        }
      }
    }
  }

  /// Begins to ask. Nothing is waited for.
  package func ask(about user: User) -> Question {
    guard isAsked else { return Question(self, user, answer: .isSet) }
    let state = FileState.ofAccounts
    let answer = known.withLock { $0.state == state ? $0.answers[user.name] : nil }
    if let answer { return Question(self, user, answer: answer) }
    return Question(self, user, state, process: begin(user))
  }

  private func begin(_ user: User) -> ChildProcess? {
    guard let process = try? ChildProcess(path: path, arguments: []), process.takes(PasscodeQuestion(user: user.name)) else {
      Log.write(.error, "signet-passcode cannot be asked for a passcode", [("user", user.name)])
      return nil
    }
    return process
  }

  private static func answer(of process: ChildProcess) -> Answer {
    guard var packet = SecretBytes(capacity: PacketLimit.packet),
      (try? Channel.receive(into: &packet, from: process.channel.raw)) == true
    else { return .unknown }
    switch (try? PasscodeAnswer(parsing: packet.span))?.outcome {
    case .isSet: return .isSet
    case .notSet: return .notSet
    case .verified, .wrong, .unavailable, .undecided, .asksMore, .accountOpen, .accountClosed, .passcodeExpired,
      .accountUnknown, nil:
      return .unknown
    }
  }

  private func keep(_ answer: Answer, of user: User, _ state: [FileState?]) -> Answer {
    if answer == .unknown { return answer }
    known.withLock { known in
      if known.state != state { known = Known(state: state) }
      known.answers[user.name] = answer
    }
    return answer
  }
}

/// By what a changed file is told from the one before: tools replace it, and an editor may write into it.
struct FileState: Equatable {
  /// Of the files that say who may log in on this machine.
  static var ofAccounts: [FileState?] { ["/etc/shadow", "/etc/passwd"].map { FileState(of: $0) } }

  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let modified: Int64
  private let changed: Int64

  /// `nil` where it is not there.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
    modified = FileState.nanoseconds(status.st_mtim)
    changed = FileState.nanoseconds(status.st_ctim)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
}
