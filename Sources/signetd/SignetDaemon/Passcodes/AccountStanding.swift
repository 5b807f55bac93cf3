import DaemonConnections
import DaemonService
import SignetMemory
import SignetVocabulary
import SignetWire
import Synchronization

/// Whether accounts are open, by the account stack of the service that checks passcodes (pam_acct_mgmt(3)).
///
/// A login ends at its host's account phase. What applications ask for does not, and the finger of somebody who was expired, disabled or
/// removed must not open their vault. So it is asked here, before anything is taken or given for whom no host judges.
///
/// A yes counts for a minute, that one touch does not ask a directory five times; less where passwd(5) or shadow(5) changes, or a
/// passcode was wrong. Anything else is asked again each time, and no answer is a no.
package final class AccountStanding: Sendable {
  package typealias Interruption = ClientConnection.Interruption

  /// How long an answer may take, in milliseconds; a directory may be slow.
  package static let limit: Int64 = 20_000
  /// How long a yes counts, in milliseconds of the boot clock.
  private static let validity: Int64 = 60_000

  private let path: String
  private let stack: @Sendable (User) -> PasscodeStack
  private let limit: Int64
  private let clock: @Sendable () -> Int64
  private let known = Mutex(Known())

  /// What a yes is kept for, and what ends it early.
  private struct Grounds: Equatable {
    var state: [FileState?]
    /// How many passcodes of the user were wrong.
    var wrong: Int
  }

  private struct Known {
    /// Each with the time of its question.
    var open: [User: (grounds: Grounds, since: Int64)] = [:]
    var wrong: [UInt32: Int] = [:]
    /// What the log says already.
    var logged: [User: Verdict] = [:]
  }

  /// `path` is signet-passcode's, `service` and `confdir` as in `PasscodeChecker`. `limit` and `clock` are for tests.
  package init(
    path: String, service: String, confdir: String, limit: Int64 = limit,
    clock: @escaping @Sendable () -> Int64 = bootMilliseconds
  ) {
    self.path = path
    stack = { PasscodeStack(user: $0.name, service: service, confdir: confdir) }
    self.limit = limit
    self.clock = clock
  }

  /// A passcode of the user's was wrong: who sits there may be somebody else.
  package func doubt(_ uid: UInt32) { known.withLock { $0.wrong[uid, default: 0] += 1 } }

  /// Why nothing is taken from the user or given to them: one of the verdicts of accounts, or `userCancel` where the client does not
  /// wait; `nil` where the account is open.
  package func obstacle(of user: User, for client: ClientConnection) throws(Interruption) -> Verdict? {
    let grounds = grounds(user)
    let now = clock()
    if isOpen(user, on: grounds, at: now) { return nil }
    guard let process = ask(about: user) else { return note(.accountUnknown, of: user, code: nil) }
    let deadline = bootMilliseconds() + limit
    while true {
      switch try client.wait(for: process.channel.raw, until: deadline) {
      case .other:
        let (verdict, code) = AccountStanding.verdict(of: process)
        if verdict == nil { keep(user, on: grounds, since: now) }
        return note(verdict, of: user, code: code)
      // A watch that is given up is over.
      case .request: if client.phase == .watching { throw .closed } else { return .userCancel }
      case .deadline: return note(.accountUnknown, of: user, code: nil)
      case .tick: continue
      }
    }
  }

  /// The same, for a client that is to be told of it by a refusal, and may cancel meanwhile. True where it was refused.
  package func refuses(_ user: User, _ client: ClientConnection) throws(Interruption) -> Bool {
    client.phase = .working
    guard let verdict = try obstacle(of: user, for: client) else { return false }
    client.refuse(account: verdict)
    return true
  }

  private func grounds(_ user: User) -> Grounds {
    Grounds(state: FileState.ofAccounts, wrong: known.withLock { $0.wrong[user.uid] ?? 0 })
  }

  private func isOpen(_ user: User, on grounds: Grounds, at now: Int64) -> Bool {
    known.withLock { known in
      guard let kept = known.open[user] else { return false }
      return kept.grounds == grounds && AccountStanding.isRecent(kept.since, at: now)
    }
  }

  private static func isRecent(_ since: Int64, at now: Int64) -> Bool { (0..<validity).contains(now - since) }

  /// `grounds` and `now` are those before the question, so that what changed meanwhile counts.
  private func keep(_ user: User, on grounds: Grounds, since now: Int64) {
    known.withLock { known in
      known.open = known.open.filter { AccountStanding.isRecent($0.value.since, at: now) }
      known.open[user] = (grounds, now)
    }
  }

  private func ask(about user: User) -> ChildProcess? {
    guard let process = try? ChildProcess(path: path, arguments: []), process.takes(AccountQuestion(stack(user))) else {
      return nil
    }
    return process
  }

  /// `nil` for an open account alone.
  private static func verdict(of process: ChildProcess) -> (Verdict?, UInt32?) {
    guard var packet = SecretBytes(capacity: PacketLimit.packet),
      (try? Channel.receive(into: &packet, from: process.channel.raw)) == true,
      let answer = try? PasscodeAnswer(parsing: packet.span)
    else { return (.accountUnknown, nil) }
    switch answer.outcome {
    case .accountOpen: return (nil, answer.code)
    case .accountClosed: return (.accountClosed, answer.code)
    case .passcodeExpired: return (.passcodeExpired, answer.code)
    default: return (.accountUnknown, answer.code)
    }
  }

  /// Logs it where it is something new: a program may ask as often as it likes.
  private func note(_ verdict: Verdict?, of user: User, code: UInt32?) -> Verdict? {
    let isNew = known.withLock { known in
      defer { known.logged[user] = verdict }
      return known.logged[user] != verdict
    }
    if isNew, let verdict {
      Log.write(
        .notice, "nothing opens by an account that is not open",
        [("user", user.name), ("verdict", verdict.name), ("code", code.map { "\($0)" } ?? "none")])
    }
    return verdict
  }
}

extension ClientConnection {
  /// Tells the client what `AccountStanding.obstacle` says.
  package func refuse(account verdict: Verdict) {
    switch verdict {
    case .accountClosed: refuse(.accountClosed)
    case .passcodeExpired: refuse(.passcodeExpired)
    case .userCancel: refuse(.cancelled)
    default: refuse(.accountUnknown)
    }
  }
}
