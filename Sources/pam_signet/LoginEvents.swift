import CLinux
import CPAM

extension Login {
  enum Event { case packet, enter, stopped, ended }

  /// Sleeps until signetd, the user or a signal wants something; no polling.
  mutating func nextEvent(_ attention: inout Attention) throws(Failure) -> Event {
    while true {
      let now = Clock.milliseconds()
      guard now < deadline else { throw .overdue }
      let rest = max(0, min(lastHeard &+ Int64(Heartbeat.limit), deadline) &- now)
      var watched: (pollfd, pollfd, pollfd) = (
        pollfd(fd: attention.interruption.watched, events: Int16(POLLIN), revents: 0),
        pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: didFallBack || passcode != nil ? -1 : attention.terminal.watched, events: Int16(POLLIN), revents: 0)
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

extension Login {
  enum Step: ~Copyable {
    case nothing
    case passcodeWanted
    case refused(Verdict)
    case succeeded(EvidenceMethod, token: SecretBytes)
  }

  /// Takes a packet of signetd and shows what it says.
  mutating func receive(_ attention: inout Attention, tokenInto place: inout SecretBytes?) throws(Failure) -> Step {
    do throws(ClientError) {
      guard try connection.receive(into: &packet) else { return .nothing }
    } catch { throw .client(error) }
    lastHeard = Clock.milliseconds()
    let reply: LoginReply
    do throws(WireError) { reply = try LoginReply(parsing: packet.span) } catch { throw .protocolMisuse }
    switch reply {
    case .heartbeat:
      // Not before the first one: a verdict or a passcode question may come at once, and what was typed ahead is not ours to
      // discard. Nor while a passcode is checked: what is typed then is for the shell. Tried at each, because a host may
      // come back to the foreground.
      if passcode == nil { attention.takeTerminal() }
      return .nothing
    case .show(let prompt, let value, let detail):
      if prompt == .touchReader, passcode == nil { attention.takeTerminal() }
      try Conversation(transaction: transaction)
        .show(prompt, value: value, detail: detail, enterAsksPasscode: attention.terminal.watched >= 0)
      try user.requireUnchanged(in: transaction)
      return .nothing
    case .askPasscode:
      return .passcodeWanted
    case .verdict(.success, let method, let released, _):
      guard var token = place.take(), ReleasedToken.put(released, into: &token) else { throw .noMemory }
      return .succeeded(method, token: token)
    case .verdict(let verdict, _, _, _):
      return .refused(verdict)
    }
  }
}
