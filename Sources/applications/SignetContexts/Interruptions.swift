#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

// What the user and the program want while a request is under way.

extension ContextConnection {
  mutating func handle<Host: ContextHost & ~Copyable>(
    _ interruptions: Interrupter.Interruptions, _ host: inout Host
  ) throws(ContextError) {
    if interruptions.invalidates {
      tellOfCancel(&host)
      isInvalid = true
      throw .invalidated
    }
    if let reason = interruptions.cancel { try leave(reason, &host) }
    if interruptions.answers, case .asking = phase { try handle(0 as Int16, &host) }
  }

  mutating func handle<Host: ContextHost & ~Copyable>(_ events: Int16, _ host: inout Host) throws(ContextError) {
    let isAsked = exchange.isAsking
    packet.removeAll()
    let answer = host.answer(events, isAsked: isAsked, into: &packet)
    try handle(answer, &host)
  }

  mutating func handle<Host: ContextHost & ~Copyable>(_ answer: HostAnswer, _ host: inout Host) throws(ContextError) {
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
  mutating func leave<Host: ContextHost & ~Copyable>(_ reason: CancelReason, _ host: inout Host) throws(ContextError) {
    if case .leaving = phase { return }
    guard tellOfCancel(&host) else {
      drop()
      throw .cancelled(reason)
    }
    phase = .leaving(until: Clock.milliseconds() &+ ContextConnection.farewell, reason)
  }

  /// Whether signetd has a request to end, and was told.
  @discardableResult
  mutating func tellOfCancel<Host: ContextHost & ~Copyable>(_ host: inout Host) -> Bool {
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
  mutating func findNobody<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) {
    // Its end is not waited for: what may have been proved meanwhile goes with the connection.
    tellOfCancel(&host)
    throw .notInteractive
  }

  /// Another process takes the connection when there is something to show or to ask. True where it has.
  mutating func handsOver<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> Bool {
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

private func write(passcode: borrowing SecretBytes, into packet: inout SecretBytes) throws(FormatError) {
  try PasscodeRequest(passcode: passcode.span).write(into: &packet)
}
