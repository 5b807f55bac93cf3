import DaemonService
import Glibc
import SignetVocabulary
import Synchronization

/// A connection's place among all that are served, and how another thread ends the connection to make room.
package final class ConnectionSlot: Sendable {
  /// Unlike that of any other.
  package let number: UInt64
  /// Whether only requests that give control back to their user are served here.
  package let isForControl: Bool
  /// Whose crowd the client is told of where it has to go.
  package let crowd: Crowd

  private let isWanted = Atomic<Bool>(false)
  private enum Activity {
    case busy, typing, watching
    /// A context waits for its next request. Until when what it has proved counts, where there is something.
    case resting(since: Int64, holdsUntil: Int64)
  }

  private let activity = Mutex(Activity.busy)
  /// Called when the connection has something to do again.
  private let whenAtWork: @Sendable () -> Void
  /// The connection's socket, as long as it is open.
  private let socket = Mutex<Int32?>(nil)
  /// Until the client has heard something.
  private let silence = Mutex<FirstSilence?>(nil)

  package init(number: UInt64, crowd: Crowd, isForControl: Bool = false, whenAtWork: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.whenAtWork = whenAtWork
    self.crowd = crowd
    self.isForControl = isForControl
  }

  /// Whether others need it: the connection ends.
  package var isDisplaced: Bool { isWanted.load(ordering: .acquiring) }

  /// What would be lost with the connection.
  package enum Use: Equatable, Sendable {
    case busy
    /// Its user is being asked to type something.
    case typing
    /// Its client waits to be told of a change.
    case watching
    /// Nothing: it is a context that waits for its next request. Since when, on the boot clock.
    case idle(since: Int64)
    /// What a context's evaluation has proved: its user would be asked again.
    case holding(since: Int64)
  }

  /// `now` is on the boot clock.
  package func use(at now: Int64) -> Use {
    switch activity.withLock({ $0 }) {
    case .busy: .busy
    case .typing: .typing
    case .watching: .watching
    case .resting(let since, let holdsUntil): holdsUntil > now ? .holding(since: since) : .idle(since: since)
    }
  }

  /// Its user is being asked to type something, which may take them as long as they like, or is not any more.
  func waitsForTyping(_ isTyping: Bool) { activity.withLock { $0 = isTyping ? .typing : .busy } }

  /// A context waits for its next request. `holdsUntil`: how long what it has proved counts, where there is something.
  func rest(since: Int64, holdsUntil: Int64?) {
    activity.withLock { $0 = .resting(since: since, holdsUntil: holdsUntil ?? 0) }
  }

  /// The client waits to be told of a change.
  func watch() { activity.withLock { $0 = .watching } }

  func work() {
    activity.withLock { $0 = .busy }
    whenAtWork()
  }

  /// Ends the connection, at once where it only waits. The client can still be told.
  package func displace() {
    isWanted.store(true, ordering: .releasing)
    socket.withLock { if let socket = $0 { _ = shutdown(socket, Int32(SHUT_RD)) } }
  }

  func begin(on socket: Int32, at now: Int64) {
    self.socket.withLock { $0 = socket }
    silence.withLock { $0 = FirstSilence(at: now) }
  }

  func end() { socket.withLock { $0 = nil } }

  func asked(_ request: RequestKind) { silence.withLock { $0?.asked(request) } }

  /// The client's own thread says something, or sends the heartbeats from now on.
  func speaks() { silence.withLock { $0 = nil } }

  /// Tells a login that hears nothing that signetd is alive, where that is due, for the main loop. When to call this again, on
  /// the boot clock; `nil` where nobody waits for it.
  package func pulse(at now: Int64) -> Int64? {
    silence.withLock { silence in
      if silence?.takeBeat(at: now) == true {
        socket.withLock { if let socket = $0 { Channel.offer(ConstantPacket.heartbeat, on: socket) } }
      }
      return silence?.nextBeat(at: now)
    }
  }
}
