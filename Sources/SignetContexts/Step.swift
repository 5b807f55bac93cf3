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
    do throws(ClientError) { return try patience(at: Clock.milliseconds()) } catch { return 0 }
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
    if ready.wish { try heed(interrupter.look(), &host) }
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
    if ready.packet { return try heedPacket(&host) }
    if ready.keys != 0, case .asking = phase { try heed(ready.keys, &host) }
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
  private typealias Ready = (wish: Bool, signals: Bool, packet: Bool, keys: Int16)

  private mutating func patience(at now: Int64) throws(ClientError) -> Int32 {
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
    do throws(ClientError) { rest = try patience(at: Clock.milliseconds()) } catch { throw .client(error) }
    let pause = limit < 0 ? rest : rest < 0 ? limit : min(rest, limit)
    let watchesKeys = if case .asking = phase { exchange.watchesKeys } else { false }
    var watched: (pollfd, pollfd, pollfd, pollfd) = (
      pollfd(fd: interrupter.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
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

// MARK: Connecting

extension ContextConnection {
  private mutating func connectWhereDue(waits: Bool) throws(ContextError) {
    let now = Clock.milliseconds()
    switch phase {
    case .starting: if isGreeted { try ask() } else { try connect(waits: false) }
    case .greeting: if greeting.asksAgain(at: now) { try connect(waits: waits) }
    case .asking: if exchange.asksAgain(at: now) { try connect(waits: waits) }
    case .idle, .handedOver, .leaving: break
    }
  }

  /// Makes a connection and asks for a context on it.
  ///
  /// - Parameter waits: whether the call may stand in line for a moment; see `Connection.init`.
  private mutating func connect(waits: Bool) throws(ContextError) {
    drop()
    if case .greeting = phase {
    } else {
      var terms = Exchange.Terms(silence: ContextConnection.silence)
      terms.patience = ContextConnection.patience
      greeting = Exchange(terms, at: Clock.milliseconds())
      phase = .greeting
    }
    let name = name
    do throws(ClientError) {
      let made = try unsafe path.withCString { (path) throws(ClientError) in
        try unsafe Connection(path: path, waiting: waits ? 50 : 0)
      }
      do throws(FormatError) { try ContextRequest(name: name.span).write(into: &packet) } catch { throw .malformed }
      defer { packet.removeAll() }
      do throws(ClientError) { try made.send(packet) } catch { throw made.announcedCrowd().map { .busy($0) } ?? error }
      connection = consume made
    } catch {
      do throws(ClientError) {
        guard case .busy(let crowd) = error else { throw greeting.fail(error) }
        _ = try greeting.turnedAway(by: crowd, at: Clock.milliseconds())
      } catch { throw .client(error) }
    }
  }

  /// Sends the request on a connection that is a context.
  private mutating func ask() throws(ContextError) {
    phase = .asking
    exchange.resumed(at: Clock.milliseconds())
    do throws(ClientError) { try connection.send(request) } catch { try renew(error) }
  }

  /// The connection is gone before signetd has begun: one that a request before had made is made again.
  private mutating func renew(_ error: ClientError) throws(ContextError) {
    guard wasGreeted, !isBegun else { throw .client(exchange.fail(error)) }
    wasGreeted = false
    try connect(waits: false)
  }
}

// MARK: signetd

extension ContextConnection {
  private mutating func heedPacket<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> Message? {
    switch phase {
    case .idle, .starting: return nil
    case .greeting:
      try heedGreeting()
      return nil
    case .leaving(_, let reason):
      try heedFarewell(reason)
      return nil
    case .handedOver:
      phase = .asking
      exchange.resumed(at: Clock.milliseconds())
      if !host.takeBack() { try findNobody(&host) }
      return nil
    case .asking: return try heedAnswer(&host)
    }
  }

  private mutating func heedGreeting() throws(ContextError) {
    let action: Exchange.Action
    do throws(ClientError) {
      guard try connection.receive(into: &packet) else { return }
      action = try greeting.received(packet, at: Clock.milliseconds())
    } catch { throw .client(greeting.fail(error)) }
    switch action {
    case .pause: drop()
    case .deliver(.reply(.done)):
      isGreeted = true
      try ask()
    case .deliver(.reply(.refused)):
      drop()
      throw refusal()
    case .wait, .heartbeat: break
    case .show, .send, .deliver: throw .client(.malformed)
    }
  }

  private mutating func heedAnswer<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> Message? {
    if try handsOver(&host) { return nil }
    let action: Exchange.Action
    do throws(ClientError) {
      guard try connection.receive(into: &packet) else { return nil }
    } catch {
      try renew(error)
      return nil
    }
    // A context that asked nothing for a while may have had to make room before this request came.
    if wasGreeted, !isBegun, packet.isBusy {
      try renew(.closed(0))
      return nil
    }
    do throws(ClientError) { action = try exchange.received(packet, at: Clock.milliseconds()) } catch {
      throw .client(error)
    }
    if action != .pause { isBegun = true }
    return try heed(action, &host)
  }

  private mutating func heed<Host: ContextHost & ~Copyable>(
    _ action: Exchange.Action, _ host: inout Host
  ) throws(ContextError) -> Message? {
    switch action {
    case .wait, .heartbeat, .send: return nil
    case .pause:
      drop()
      return nil
    case .show(let prompt, let value, let detail):
      host.show(prompt, value: value, detail: packet.span.extracting(last: max(0, detail)))
      if prompt == .notRecognised { host.offerFallback() }
      return nil
    case .deliver(.passcodeWanted(let reason)):
      packet.removeAll()
      try heed(host.ask(reason, into: &packet), &host)
      return nil
    case .deliver(.evaluated(let reply)): return .evaluated(reply)
    case .deliver(.reply(.refused)): throw refusal()
    case .deliver(.reply(let kind)): return .reply(kind)
    case .deliver(.typed), .deliver(.verdict): throw .client(.malformed)
    }
  }

  /// What the refusal in the packet is; one of another version is none that can be believed to be harmless.
  private func refusal() -> ContextError {
    let bytes = packet.span
    guard bytes.count > 2, let code = RefusalCode(rawValue: bytes[2]) else { return .client(.malformed) }
    guard code == .vaultUnavailable, bytes.count > 3 else { return .refused(code) }
    // For a program a vault that was never opened is an empty one, and one that is closed a question that was not asked.
    switch VaultCause(rawValue: bytes[3]) {
    case .noKey: return .refused(.notFound)
    case .locked: return .refused(.interactionNotAllowed)
    case .proofMissing: return .refused(.notVerified)
    case .setChanged: return .refused(.fingersChanged)
    case .badItem: return .unusable
    default: return .refused(code)
    }
  }

  /// What comes after a cancel decides nothing: a success that it crossed is taken back with the connection that holds it.
  private mutating func heedFarewell(_ reason: CancelReason) throws(ContextError) {
    do throws(ClientError) { guard try connection.receive(into: &packet) else { return } } catch {
      drop()
      throw .cancelled(reason)
    }
    let kind = packet.span.count > 1 ? ReplyKind(rawValue: packet.span[1]) : nil
    switch kind {
    case .evaluated, .done:
      let isHarmless = kind == .evaluated && packet.span.count > 2 && Verdict(rawValue: packet.span[2]) != .success
      if !isHarmless { drop() }
      throw .cancelled(reason)
    case .refused: throw .cancelled(reason)
    case .busy, nil:
      drop()
      throw .cancelled(reason)
    default: return
    }
  }
}

private func write(passcode: borrowing SecretBytes, into packet: inout SecretBytes) throws(FormatError) {
  try PasscodeRequest(passcode: passcode.span).write(into: &packet)
}

extension SecretBytes {
  fileprivate var isBusy: Bool { count > 1 && span[1] == ReplyKind.busy.rawValue }
}

// MARK: The user

extension ContextConnection {
  private mutating func heed<Host: ContextHost & ~Copyable>(
    _ wishes: Interrupter.Wishes, _ host: inout Host
  ) throws(ContextError) {
    if wishes.invalidates {
      tellOfCancel(&host)
      isInvalid = true
      throw .invalidated
    }
    if let reason = wishes.cancel { try leave(reason, &host) }
    if wishes.answers, case .asking = phase { try heed(0 as Int16, &host) }
  }

  private mutating func heed<Host: ContextHost & ~Copyable>(_ events: Int16, _ host: inout Host) throws(ContextError) {
    let isAsked = exchange.isAsking
    packet.removeAll()
    let answer = host.answer(events, isAsked: isAsked, into: &packet)
    try heed(answer, &host)
  }

  private mutating func heed<Host: ContextHost & ~Copyable>(_ answer: HostAnswer, _ host: inout Host) throws(ContextError) {
    defer { packet.removeAll() }
    switch answer {
    case .nothing: break
    case .passcode: if exchange.isAsking { try sendPasscode() }
    case .fallback:
      guard case .send(let kind) = exchange.keyPressed(at: Clock.milliseconds()) else { return }
      try send { packet throws(FormatError) in try packet.begin(kind.rawValue) }
    case .declined: try leave(.user, &host)
    case .impossible: try findNobody(&host)
    }
  }

  /// Sends the passcode that is in the packet's buffer: from there, so that it is in one place less.
  private mutating func sendPasscode() throws(ContextError) {
    request.removeAll()
    defer { request.removeAll() }
    do throws(FormatError) { try write(passcode: packet, into: &request) } catch { throw .unusable }
    do throws(ClientError) {
      _ = try exchange.passcodeTyped(at: Clock.milliseconds())
      try connection.send(request)
    } catch { throw .client(exchange.fail(error)) }
  }

  /// Sends what `write` puts into a packet, and wipes it.
  public mutating func send(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(ContextError) {
    defer { packet.removeAll() }
    do throws(FormatError) { try write(&packet) } catch { throw .unusable }
    do throws(ClientError) { try connection.send(packet) } catch {
      let said = connection.announcedCrowd()
      drop()
      throw .client(exchange.fail(said.map { .busy($0) } ?? error))
    }
    exchange.resumed(at: Clock.milliseconds())
  }

  /// Gives the request up: signetd is told, and its end waited for, so that the connection can go on.
  private mutating func leave<Host: ContextHost & ~Copyable>(_ reason: CancelReason, _ host: inout Host) throws(ContextError) {
    if case .leaving = phase { return }
    guard tellOfCancel(&host) else {
      drop()
      throw .cancelled(reason)
    }
    phase = .leaving(until: Clock.milliseconds() &+ ContextConnection.farewell, reason)
  }

  /// Whether signetd has a request to end, and was told.
  @discardableResult
  private mutating func tellOfCancel<Host: ContextHost & ~Copyable>(_ host: inout Host) -> Bool {
    if case .handedOver = phase {
      host.endHandOver()
      phase = .asking
    }
    guard case .asking = phase, case .send(let kind) = exchange.cancelled(at: Clock.milliseconds()) else { return false }
    defer { packet.removeAll() }
    do throws(FormatError) { try packet.begin(kind.rawValue) } catch { return false }
    do throws(ClientError) { try connection.send(packet) } catch { return false }
    return true
  }

  /// Nobody can be shown or asked what signetd wants shown and asked.
  private mutating func findNobody<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) {
    // Its end is not waited for: what may have been proved meanwhile goes with the connection.
    tellOfCancel(&host)
    throw .notInteractive
  }

  /// Another process takes the connection when there is something to show or to ask. True where it has.
  private mutating func handsOver<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> Bool {
    switch connection.announcedKind() {
    case ReplyKind.show.rawValue, ReplyKind.askPasscode.rawValue: break
    default: return false
    }
    // It leaves only what is not for it: one that comes back again and again shows nothing.
    guard handOvers < ContextConnection.passcodes else {
      try findNobody(&host)
      return true
    }
    switch host.handOver(connection.descriptor) {
    case .none: return false
    case .impossible: try findNobody(&host)
    case .started(let process):
      handOvers &+= 1
      isBegun = true
      exchange.handedOver()
      phase = .handedOver(process)
    }
    return true
  }
}
