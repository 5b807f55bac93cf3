import CLinux

/// How long the module goes on waiting for signetd: for as long as it says something, and up to a deadline.
struct Patience {
  enum Event { case packet, enter, stopped, ended }

  /// When signetd last said something, or was asked something.
  private var lastHeard = Clock.milliseconds()
  /// When the module gives up even though signetd goes on: a guard against a signetd that never decides.
  private let deadline: Int64

  /// Checking a passcode takes pam_unix up to seconds, and opening a vault with it another; this long it may take at most, in
  /// milliseconds.
  static var verifying: Int64 { 60_000 }

  /// Begins now and ends in so many milliseconds.
  init(_ limit: Int64) { deadline = lastHeard &+ limit }

  mutating func renew() { lastHeard = Clock.milliseconds() }

  /// Sleeps until signetd, the user or a signal wants something; no polling.
  func nextEvent(
    _ connection: borrowing Connection, _ attention: inout Attention, readsKeys: Bool
  ) throws(Failure) -> Event {
    while true {
      let now = Clock.milliseconds()
      guard now < deadline else { throw .overdue }
      let rest = max(0, min(lastHeard &+ Int64(Heartbeat.limit), deadline) &- now)
      var watched: (pollfd, pollfd, pollfd) = (
        pollfd(fd: attention.interruption.watched, events: Int16(POLLIN), revents: 0),
        pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: readsKeys ? attention.terminal.watched : -1, events: Int16(POLLIN), revents: 0)
      )
      let ready = unsafe withUnsafeMutablePointer(to: &watched) { all in
        unsafe all.withMemoryRebound(to: pollfd.self, capacity: 3) { first in
          unsafe poll(first, 3, Int32(truncatingIfNeeded: rest))
        }
      }
      if ready > 0 {
        if watched.0.revents != 0 {
          switch attention.interruption.look() {
          case .end: return .ended
          case .stop: return .stopped
          case .nothing: break
          }
        }
        if watched.1.revents != 0 { return .packet }
        if watched.2.revents != 0, attention.terminal.readKeys(watched.2.revents) { return .enter }
      } else if ready < 0, clinux_errno() != EINTR {
        throw .client(.closed(clinux_errno()))
      } else if ready == 0, Clock.milliseconds() &- lastHeard >= Int64(Heartbeat.limit) {
        throw .client(.silent)
      }
    }
  }
}
