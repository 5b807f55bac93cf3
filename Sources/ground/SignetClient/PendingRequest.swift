import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// How a program shows and asks while a request is pending. Everything else about the request is `Exchange`'s to decide.
public protocol RequestHost: ~Copyable {
  associatedtype Failure: Error

  /// For poll(2): readable while a signal is held back. -1 where signals act as ever.
  var signals: Int32 { get }
  /// For poll(2): readable when the user has typed something. -1 where nothing is watched.
  var keys: Int32 { get }

  func failure(_ error: ClientError) -> Failure

  /// What the signals ask for, once `signals` is readable.
  mutating func signalEffect() -> HeldSignals.Effect
  /// Lets the process stop, and returns when it is continued.
  mutating func suspend()
  /// Whether the passcode is all that is wanted from here on.
  var wantsPasscode: Bool { get }
  /// Reads what poll(2) announced of the keys; true where it is Enter, which asks for the passcode.
  mutating func isEnterPressed(_ events: Int16) -> Bool
  /// signetd is alive and at work.
  mutating func heartbeat()
  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) throws(Failure)
}

extension RequestHost where Self: ~Copyable {
  public var signals: Int32 { -1 }
  public var keys: Int32 { -1 }
  public mutating func signalEffect() -> HeldSignals.Effect { .nothing }
  public mutating func suspend() {}
  public var wantsPasscode: Bool { false }
  public mutating func isEnterPressed(_ events: Int16) -> Bool { false }
  public mutating func heartbeat() {}
  public mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) throws(Failure) {}
}

/// A host without a user: it neither shows nor asks.
public struct UnattendedHost: RequestHost {
  /// Not empty: what has no size has no address either, and the thread sanitizer looks at the address of each host that changes.
  private var size: UInt8 = 0

  public init() {}
  public func failure(_ error: ClientError) -> ClientError { error }
}

/// A request to signetd, and the connection on which its answers come: one poll(2) for all that may happen, fed to an
/// `Exchange`. Where signetd is busy the request is made again on a new connection. Use it from one thread at a time.
public struct PendingRequest: ~Copyable {
  /// The request until signetd answers it, then the latest packet received; empty once something was sent, for that may be a
  /// secret.
  public var packet: SecretBytes
  /// To nobody while the request waits to be made again.
  private var connection: Connection
  private let path: SocketPath
  private var isAnswered = false
  /// How long the next attempt stands in line, in milliseconds: the first does not, a later one as long as a key may wait for its
  /// answer.
  private var turn = 0
  /// For poll(2): readable when signetd has said something; -1 where nobody is connected. For programs that call `step` in a
  /// loop of their own.
  public var descriptor: Int32 { connection.descriptor }
  private var exchange: Exchange

  /// Sends the request that `packet` holds to the socket at `path`.
  @inline(never)
  public init(
    _ packet: consuming SecretBytes, to path: UnsafePointer<CChar>, _ terms: Exchange.Terms
  ) throws(ClientError) {
    self.packet = packet
    connection = Connection()
    unsafe self.path = SocketPath(path)
    exchange = Exchange(terms, at: Clock.milliseconds())
    try ask()
  }

  /// Makes the request, or waits for its next time.
  private mutating func ask() throws(ClientError) {
    defer { turn = 50 }
    do throws(ClientError) {
      let made = try unsafe path.withCString { (path) throws(ClientError) in try unsafe Connection(path: path, waiting: turn) }
      do throws(ClientError) { try made.send(packet) } catch {
        throw made.announcedCrowd().map { .busy($0) } ?? error
      }
      connection = consume made
    } catch {
      guard case .busy(let crowd) = error else { throw exchange.fail(error) }
      _ = try exchange.turnedAway(by: crowd, at: Clock.milliseconds())
    }
  }

  /// What signetd says next that is not only to be shown. What the user and signals do meanwhile is seen to.
  @inline(never)
  public mutating func next<Host: RequestHost & ~Copyable>(_ host: inout Host) throws(Host.Failure) -> Exchange.Message {
    while true { if let message = try step(&host) { return message } }
  }

  /// Waits for one event, at most so many milliseconds where that is not negative, and sees to it; the message, where it was
  /// one.
  public mutating func step<Host: RequestHost & ~Copyable>(
    _ host: inout Host, within limit: Int32 = -1
  ) throws(Host.Failure) -> Exchange.Message? {
    let ready: Ready
    do throws(ClientError) {
      if exchange.asksAgain(at: Clock.milliseconds()) { try ask() }
      ready = try wait(signals: host.signals, keys: host.keys, within: limit)
    } catch { throw host.failure(error) }
    if ready.signals {
      switch host.signalEffect() {
      case .end:
        cancel()
        throw host.failure(.cancelled)
      case .stop:
        host.suspend()
        exchange.resumed(at: Clock.milliseconds())
        guard host.wantsPasscode else { return nil }
        if exchange.isAsking { return .typed }
        _ = send(exchange.keyPressed(at: Clock.milliseconds()))
        return nil
      case .nothing: break
      }
    }
    if ready.packet {
      let action: Exchange.Action
      do throws(ClientError) { action = try receive() } catch { throw host.failure(error) }
      switch action {
      case .heartbeat: host.heartbeat()
      case .show(let prompt, let value, let detail):
        try host.show(prompt, value: value, detail: packet.span.extracting(last: max(0, detail)))
      case .deliver(let message): return message
      case .wait, .send, .pause: break
      }
    } else if ready.keys != 0 {
      if exchange.isAsking { return .typed }
      // signetd may have decided already: then its reply says what became of it.
      if host.isEnterPressed(ready.keys) { _ = send(exchange.keyPressed(at: Clock.milliseconds())) }
    }
    return nil
  }

  /// Answers `passcodeWanted` with what was typed, but for its last byte: the newline, or the zero that ends a C string.
  public mutating func answer(_ typed: borrowing SecretBytes) throws(ClientError) {
    let passcode = typed.span.extracting(first: max(0, typed.count &- 1))
    _ = try exchange.passcodeTyped(at: Clock.milliseconds())
    try send { packet throws(FormatError) in try PasscodeRequest(passcode: passcode).write(into: &packet) }
  }

  /// Tells signetd that the program goes on listening while it asks for the passcode.
  public mutating func follow() throws(ClientError) {
    let action = exchange.following()
    guard case .send = action, !send(action) else { return }
    throw exchange.fail(.closed(0))
  }

  /// Answers `passcodeWanted` with the wish for a finger.
  public mutating func askFinger() throws(ClientError) {
    guard send(exchange.fingerWanted(at: Clock.milliseconds())) else { throw exchange.fail(.closed(0)) }
  }

  /// Sends what `write` puts into a packet, and wipes it.
  public mutating func send(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(ClientError) {
    defer { packet.removeAll() }
    do throws(FormatError) { try write(&packet) } catch { throw exchange.fail(.malformed) }
    do throws(ClientError) { try connection.send(packet) } catch { throw exchange.fail(reason(for: error)) }
    exchange.resumed(at: Clock.milliseconds())
  }

  /// Tells signetd that the user, and not only the connection, gave up; waits for the request's end where the terms say so.
  public mutating func cancel() {
    guard send(exchange.cancelled(at: Clock.milliseconds())) else { return }
    do throws(ClientError) {
      while true { if try wait(signals: -1, keys: -1, within: -1).packet { _ = try receive() } }
    } catch { return }
  }
}

extension PendingRequest {
  private typealias Ready = (signals: Bool, packet: Bool, keys: Int16)

  /// Sleeps until signetd, the user or a signal wants something.
  @inline(never)
  private mutating func wait(signals: Int32, keys: Int32, within limit: Int32) throws(ClientError) -> Ready {
    let rest = try exchange.wait(at: Clock.milliseconds())
    let pause = limit < 0 ? rest : rest < 0 ? limit : min(rest, limit)
    var watched: (pollfd, pollfd, pollfd) = (
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: exchange.watchesKeys ? keys : -1, events: Int16(POLLIN), revents: 0)
    )
    let count = unsafe withUnsafeMutablePointer(to: &watched) { all in
      unsafe all.withMemoryRebound(to: pollfd.self, capacity: 3) { first in unsafe poll(first, 3, pause) }
    }
    if count == 0 {
      if !isAnswered, path.isOfStartingHelper { exchange.starting(at: Clock.milliseconds()) }
      try exchange.nothingCame(at: Clock.milliseconds())
    }
    if count < 0, clinux_errno() != EINTR { throw exchange.fail(.closed(clinux_errno())) }
    guard count > 0 else { return (false, false, 0) }
    return (watched.0.revents != 0, watched.1.revents != 0, watched.2.revents)
  }

  @inline(never)
  private mutating func receive() throws(ClientError) -> Exchange.Action {
    // The request is still in the packet, and is needed where it has to be made again.
    if !isAnswered, let crowd = connection.announcedCrowd() {
      connection = Connection()
      return try exchange.turnedAway(by: crowd, at: Clock.milliseconds())
    }
    do throws(ClientError) {
      guard try connection.receive(into: &packet) else { return .wait }
    } catch { throw exchange.fail(error) }
    isAnswered = true
    return try exchange.received(packet, at: Clock.milliseconds())
  }

  /// Why nothing could be sent: signetd, which nobody listened to while the user was asked, may have said that it made room for
  /// others. What it said before that does not count any more.
  private mutating func reason(for error: ClientError) -> ClientError {
    var count = 0
    while count < 16 {
      if let crowd = connection.announcedCrowd() { return .busy(crowd) }
      do throws(ClientError) { guard try connection.receive(into: &packet) else { return error } } catch { return error }
      count &+= 1
    }
    return error
  }

  /// Sends a request without fields, if that is to be done; whether it went out.
  private mutating func send(_ action: Exchange.Action) -> Bool {
    guard case .send(let kind) = action else { return false }
    do throws(FormatError) { try packet.begin(kind.rawValue) } catch { return false }
    do throws(ClientError) { try connection.send(packet) } catch { return false }
    return true
  }
}
