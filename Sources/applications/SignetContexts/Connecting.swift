#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

// How the connection of a context is made, and made again.

extension ContextConnection {
  mutating func connectWhereDue(waits: Bool) throws(ContextError) {
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
      terms.busyTimeout = ContextConnection.busyTimeout
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
  mutating func ask() throws(ContextError) {
    phase = .asking
    exchange.resumed(at: Clock.milliseconds())
    do throws(ClientError) { try connection.send(request) } catch { try renew(error) }
  }

  /// The connection is gone before signetd has begun: one that a request before had made is made again.
  mutating func renew(_ error: ClientError) throws(ContextError) {
    guard wasGreeted, !isBegun else { throw .client(exchange.fail(error)) }
    wasGreeted = false
    try connect(waits: false)
  }
}
