#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

// What signetd says while a request is under way.

extension ContextConnection {
  mutating func handlePacket<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> Message? {
    switch phase {
    case .idle, .starting: return nil
    case .greeting:
      try handleGreeting()
      return nil
    case .leaving(_, let reason):
      try handleFarewell(reason)
      return nil
    case .handedOver:
      phase = .asking
      exchange.resumed(at: Clock.milliseconds())
      if !host.takeBack() { try findNobody(&host) }
      return nil
    case .asking: return try handleReply(&host)
    }
  }

  private mutating func handleGreeting() throws(ContextError) {
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

  private mutating func handleReply<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> Message? {
    if try handsOver(&host) { return nil }
    let action: Exchange.Action
    do throws(ClientError) {
      guard try connection.receive(into: &packet) else { return nil }
    } catch {
      try renew(error)
      return nil
    }
    // A context that asked nothing for a while may have had to make room before this request came.
    if wasGreeted, !isBegun, packet.announced == .busy {
      try renew(.closed(0))
      return nil
    }
    do throws(ClientError) { action = try exchange.received(packet, at: Clock.milliseconds()) } catch {
      throw .client(error)
    }
    if action != .pause { isBegun = true }
    return try handle(action, &host)
  }

  private mutating func handle<Host: ContextHost & ~Copyable>(
    _ action: Exchange.Action, _ host: inout Host
  ) throws(ContextError) -> Message? {
    switch action {
    case .wait, .heartbeat, .send: return nil
    case .pause:
      drop()
      return nil
    case .show(let prompt, let value, let detail):
      // First, so that what the user does who has read it counts.
      if prompt == .notRecognised || prompt == .touchReader && takesPasscode { host.offerFallback() }
      host.show(prompt, value: value, detail: packet.span.extracting(last: max(0, detail)))
      return nil
    case .deliver(.passcodeWanted(let reason)):
      packet.removeAll()
      try handle(host.ask(reason, into: &packet), &host)
      return nil
    case .deliver(.evaluated(let reply)): return .evaluated(reply)
    case .deliver(.reply(.refused)): throw refusal()
    case .deliver(.reply(let kind)): return .reply(kind)
    case .deliver(.typed), .deliver(.verdict): throw .client(.malformed)
    }
  }

  /// What the refusal in the packet is; one of another version is none that can be believed to be harmless.
  private func refusal() -> ContextError {
    guard let code = packet.announcedRefusal else { return .client(.malformed) }
    let bytes = packet.span
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
  private mutating func handleFarewell(_ reason: CancelReason) throws(ContextError) {
    do throws(ClientError) { guard try connection.receive(into: &packet) else { return } } catch {
      drop()
      throw .cancelled(reason)
    }
    let kind = packet.announced
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

extension SecretBytes {
  /// What kind of packet it begins like; `nil` for none that is known.
  var announced: ReplyKind? { count > 1 ? ReplyKind(rawValue: span[1]) : nil }

  /// Of a packet that is a refusal: why; `nil` for none that is known.
  var announcedRefusal: RefusalCode? { count > 2 ? RefusalCode(rawValue: span[2]) : nil }
}
