import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// An application's context in signetd: a connection that lives from its first request to the end of this value, and may prove
/// something meanwhile. What was proved is signetd's to keep, for this connection: where that ends, it is gone.
///
/// Use it from one thread at a time; `interrupter` from any. A forked child gets a connection of its own.
public struct ContextConnection: ~Copyable {
  /// What comes of a request, one after another; `evaluated` and `done` end it.
  public enum Message: Equatable, Sendable {
    case evaluated(EvaluatedReply)
    /// The fields are in `packet`.
    case reply(ReplyKind)
  }

  enum Phase {
    case idle
    /// The request is to be made.
    case starting
    /// The connection becomes a context.
    case greeting
    /// signetd is at work on the request.
    case asking
    /// Another process shows and asks on the connection; what it is watched by.
    case handedOver(Int32)
    /// Given up; what signetd still says is thrown away until this moment.
    case leaving(until: Int64, CancelReason)
  }

  /// How long signetd may say nothing, in milliseconds: applications are more patient than a login, and know it sooner where
  /// a heartbeat is missed a few times.
  static var silence: Int32 { 3_000 }
  /// How long a request that was given up may take to end before the connection is, in milliseconds.
  static var farewell: Int64 { 1_000 }
  /// How long a context waits for a place in a busy signetd, in milliseconds.
  static var busyTimeout: Int64 { 2_000 }
  /// How often the passcode may be asked for in one request.
  static var passcodes: Int { 8 }

  public private(set) var interrupter: Interrupter
  /// The latest packet; empty after something was sent.
  public internal(set) var packet: SecretBytes
  /// Until signetd has begun with it: it is made again on a new connection where this one is gone.
  var request: SecretBytes
  var connection = Connection()
  let path: SocketPath
  let name: [UInt8]
  var phase = Phase.idle
  var exchange: Exchange
  /// Of the connection's own first request.
  var greeting: Exchange
  var isInvalid = false
  /// Whether the connection is a context.
  var isGreeted = false
  /// Whether it was one before this request: then it may be gone without anybody's fault, and is made again, once.
  var wasGreeted = false
  /// Whether signetd has answered anything.
  var isBegun = false
  /// Whether the request takes the passcode in the place of the finger at any time, and not only after a miss.
  var takesPasscode = false
  /// How often another process took the connection in this request.
  var handOvers = 0
  var owner = getpid()

  /// Makes no connection yet.
  ///
  /// - Parameters:
  ///   - path: signetd's socket.
  ///   - name: what the program calls itself, shown to the user beside what the kernel says of it. Cut to
  ///     `FieldLimit.name` bytes, at a character.
  public init(path: String, name: String) throws(ContextError) {
    guard let packet = SecretBytes(capacity: PacketLimit.packet), let request = SecretBytes(capacity: PacketLimit.packet),
      let interrupter = Interrupter()
    else { throw .noMemory }
    self.packet = packet
    self.request = request
    self.interrupter = interrupter
    self.path = unsafe path.withCString { unsafe SocketPath($0) }
    self.name = ContextConnection.cut(name)
    exchange = Exchange(Exchange.Terms(silence: ContextConnection.silence), at: 0)
    greeting = exchange
  }

  deinit { interrupter.close() }

  private static func cut(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in name.unicodeScalars {
      guard ForeignText.isHarmless(scalar.value) else { continue }
      let more = UTF8.encode(scalar).map { Array($0) } ?? []
      guard bytes.count + more.count <= FieldLimit.name else { break }
      bytes += more
    }
    return bytes
  }

  /// Whether a request is under way.
  public var isBusy: Bool { if case .idle = phase { false } else { true } }

  /// Whether a signal can still end the request: the one that did so stays noted.
  public var heedsSignals: Bool { if case .leaving = phase { false } else { true } }

  /// Whether the user is being asked for the passcode.
  public var isAsking: Bool { if case .asking = phase { exchange.isAsking } else { false } }

  /// What `step` waits for besides the host: signetd's side, -1 while another process has it or nobody is connected.
  public var descriptor: Int32 {
    switch phase {
    case .handedOver(let process): process
    default: connection.descriptor
    }
  }

  /// Begins a request: `step` follows it to its end.
  public mutating func begin(
    _ terms: Exchange.Terms, _ write: (inout SecretBytes) throws(FormatError) -> Void
  ) throws(ContextError) {
    leaveParent()
    // What was cancelled before is over; that the context was invalidated stays.
    if interrupter.pending().invalidates { invalidate() }
    guard !isInvalid else { throw .invalidated }
    guard case .idle = phase else { throw .inUse }
    do throws(FormatError) { try write(&request) } catch { throw .unusable }
    exchange = Exchange(terms, at: Clock.milliseconds())
    (wasGreeted, isBegun, handOvers, takesPasscode) = (isGreeted, false, 0, false)
    phase = .starting
  }

  /// Ends everything for good: what was proved is gone at once.
  public mutating func invalidate() {
    isInvalid = true
    drop()
    phase = .idle
    request.removeAll()
    packet.removeAll()
  }

  /// In a forked child nothing of the parent's connection is used: what the parent proved is not the child's.
  mutating func leaveParent() {
    guard getpid() != owner else { return }
    owner = getpid()
    interrupter = interrupter.inChild()
    drop()
    phase = .idle
    request.removeAll()
    packet.removeAll()
  }

  /// Ends the connection, and with it what was proved.
  mutating func drop() {
    connection = Connection()
    isGreeted = false
  }

  /// What a request of a context other than `evaluate` expects of signetd.
  public static var terms: Exchange.Terms {
    var terms = Exchange.Terms(silence: silence)
    terms.passcodes = passcodes
    terms.busyTimeout = busyTimeout
    return terms
  }
}
