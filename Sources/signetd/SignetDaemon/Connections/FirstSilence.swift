import SignetVocabulary
import SignetWire

/// A client that has heard nothing yet. Who asks, what logind says of them and what is on the disk is looked at before the first
/// word, which takes longer than a login waits for a silent signetd while a machine boots.
struct FirstSilence {
  /// How long a login is held by heartbeats alone, in milliseconds: whatever takes longer will not end.
  static let limit: Int64 = 5_000

  private let began: Int64
  private var due: Int64
  /// Whether a login waits: nobody else takes heartbeats before the first word.
  private var isLogin = false

  /// `now` is on the boot clock, here and below.
  init(at now: Int64) {
    began = now
    due = now + Int64(Heartbeat.interval)
  }

  mutating func asked(_ request: RequestKind) { isLogin = request == .authenticate }

  /// Whether to send a heartbeat now.
  mutating func takeBeat(at now: Int64) -> Bool {
    guard now >= due else { return false }
    due = now + Int64(Heartbeat.interval)
    return isLogin
  }

  /// When to ask again; `nil` where that is not needed any more.
  func nextBeat(at now: Int64) -> Int64? { now - began < FirstSilence.limit ? due : nil }
}
