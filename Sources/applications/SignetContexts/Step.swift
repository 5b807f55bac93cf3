import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

// One event after the other, until the request is over.

extension ContextConnection {
  /// What comes next of the request that was begun; blocks until then.
  public mutating func next<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> Message {
    while true { if let message = try step(&host) { return message } }
  }

  /// Waits for one event, at most so many milliseconds where that is not negative, and sees to it; the message, where it was one.
  ///
  /// An error ends the request; the context may go on, with what was proved as long as the connection lives.
  public mutating func step<Host: ContextHost & ~Copyable>(
    _ host: inout Host, within limit: Int32 = -1
  ) throws(ContextError) -> Message? {
    do throws(ContextError) {
      let message = try advance(&host, within: limit)
      if let message, message.isLast { end(&host) }
      return message
    } catch {
      switch error {
      case .inUse: break
      // signetd has ended the request, and the context goes on.
      case .refused, .cancelled: end(&host)
      case .client, .invalidated, .notInteractive, .unusable, .noMemory:
        end(&host)
        drop()
      }
      throw error
    }
  }

  /// Ends a request that nobody follows any more: signetd is told, and what it says is not waited for.
  public mutating func giveUp<Host: ContextHost & ~Copyable>(_ host: inout Host) {
    guard isBusy else { return }
    tellOfCancel(&host)
    end(&host)
    drop()
  }

  /// How long the next `step` may be put off where nothing happens, in milliseconds; -1 for as long as it takes.
  public mutating func pause() -> Int32 {
    do throws(ClientError) { return try timeout(at: Clock.milliseconds()) } catch { return 0 }
  }

  private mutating func end<Host: ContextHost & ~Copyable>(_ host: inout Host) {
    if case .handedOver = phase { host.endHandOver() }
    phase = .idle
    request.removeAll()
    host.finish()
  }

  private mutating func advance<Host: ContextHost & ~Copyable>(
    _ host: inout Host, within limit: Int32
  ) throws(ContextError) -> Message? {
    let isChild = getpid() != owner
    leaveParent()
    guard !isChild, !isInvalid else { throw .invalidated }
    if case .idle = phase { throw .inUse }
    try connectWhereDue(waits: limit != 0)
    let ready = try wait(keys: host.keys, signals: host.signals, within: limit)
    if ready.interruption { try handle(interrupter.pending(), &host) }
    if ready.signals {
      switch host.signalEffect() {
      case .end: try leave(.user, &host)
      case .stop:
        host.suspend()
        exchange.resumed(at: Clock.milliseconds())
        return nil
      case .nothing: break
      }
    }
    if ready.packet { return try handlePacket(&host) }
    if ready.keys != 0, case .asking = phase { try handle(ready.keys, &host) }
    return nil
  }
}

extension ContextConnection.Message {
  /// Whether the request is over with it.
  public var isLast: Bool {
    switch self {
    case .evaluated: true
    case .reply(let kind): kind == .done
    }
  }
}

// MARK: Waiting

extension ContextConnection {
  private typealias Ready = (interruption: Bool, signals: Bool, packet: Bool, keys: Int16)

  private mutating func timeout(at now: Int64) throws(ClientError) -> Int32 {
    switch phase {
    case .idle, .handedOver: return -1
    case .starting: return 0
    case .greeting: return try greeting.wait(at: now)
    case .asking: return try exchange.wait(at: now)
    case .leaving(let until, _): return Int32(truncatingIfNeeded: max(0, min(until &- now, 60_000)))
    }
  }

  /// Sleeps until signetd, the user, the program or a signal wants something.
  private mutating func wait(keys: Int32, signals: Int32, within limit: Int32) throws(ContextError) -> Ready {
    let rest: Int32
    do throws(ClientError) { rest = try timeout(at: Clock.milliseconds()) } catch { throw .client(error) }
    let pause = limit < 0 ? rest : rest < 0 ? limit : min(rest, limit)
    let watchesKeys = if case .asking = phase { exchange.watchesKeys } else { false }
    var watched: (pollfd, pollfd, pollfd, pollfd) = (
      pollfd(fd: interrupter.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: heedsSignals ? signals : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watchesKeys ? keys : -1, events: Int16(POLLIN), revents: 0)
    )
    let count = unsafe withUnsafeMutablePointer(to: &watched) { all in
      unsafe all.withMemoryRebound(to: pollfd.self, capacity: 4) { first in unsafe poll(first, 4, pause) }
    }
    if count == 0 { try nothingCame() }
    if count < 0, clinux_errno() != EINTR { throw .client(exchange.fail(.closed(clinux_errno()))) }
    guard count > 0 else { return (false, false, false, 0) }
    return (watched.0.revents != 0, watched.1.revents != 0, watched.2.revents != 0, watched.3.revents)
  }

  private mutating func nothingCame() throws(ContextError) {
    let now = Clock.milliseconds()
    if case .leaving(let until, let reason) = phase {
      guard now >= until else { return }
      drop()
      throw .cancelled(reason)
    }
    do throws(ClientError) {
      if case .greeting = phase { try greeting.nothingCame(at: now) }
      if case .asking = phase { try exchange.nothingCame(at: now) }
    } catch { throw .client(error) }
  }
}
