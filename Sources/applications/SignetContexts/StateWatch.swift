import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// How the user's fingers stand at one moment.
public struct BiometryReport: Equatable, Sendable {
  public var state: BiometryState
  public var lock: LockReason
  /// What an evaluation by finger would come to at once; `success`: it could succeed.
  public var verdict: Verdict
  /// As `PolicyAnswer.domainState`.
  public var domainState: [UInt8]

  public init(_ state: BiometryState, _ lock: LockReason, _ verdict: Verdict, domainState: [UInt8] = []) {
    self.state = state
    self.lock = lock
    self.verdict = verdict
    self.domainState = domainState
  }

  /// While signetd cannot be asked.
  public static var unreachable: BiometryReport { BiometryReport(.notWorking, .none, .biometryNotAvailable) }
}

/// Tells how the user's fingers stand, at once and whenever that changes. signetd says so by itself: nothing is polled.
///
/// Where signetd ends or is started anew the watch goes on by itself. Use it from one thread at a time.
public struct StateWatch: ~Copyable {
  public private(set) var interrupter: Interrupter
  private let path: SocketPath
  private var packet: SecretBytes
  private var connection = Connection()
  /// What was told last.
  private var last: BiometryReport?
  private var isOver = false
  private var owner = getpid()
  /// When the next connection is made, in milliseconds of `Clock`.
  private var due: Int64 = 0
  private var pause = StateWatch.firstPause

  /// How long a signetd that is not there is left alone, in milliseconds: it is started by the first connection, so that only a
  /// machine without it waits.
  private static var firstPause: Int64 { 100 }
  private static var longestPause: Int64 { 30_000 }

  public init(path: String) throws(ContextError) {
    guard let packet = SecretBytes(capacity: PacketLimit.packet), let interrupter = Interrupter() else { throw .noMemory }
    self.packet = packet
    self.interrupter = interrupter
    self.path = unsafe path.withCString { unsafe SocketPath($0) }
  }

  deinit { interrupter.close() }

  /// For poll(2): readable when signetd has said something; -1 while nobody is connected.
  public var descriptor: Int32 { connection.descriptor }

  /// How long `step` may be put off where nothing happens, in milliseconds; -1 for as long as it takes.
  public var pollTimeout: Int32 {
    connection.descriptor >= 0 ? -1 : Int32(truncatingIfNeeded: max(0, min(due &- Clock.milliseconds(), 60_000)))
  }

  /// The next change; the present state at first. Blocks until then, or until the interrupter is used, which ends the watch.
  public mutating func next() throws(ContextError) -> BiometryReport {
    while true { if let report = try step() { return report } }
  }

  /// Waits for one event, at most so many milliseconds where that is not negative; the report, where it was one.
  public mutating func step(within limit: Int32 = -1) throws(ContextError) -> BiometryReport? {
    leaveParent()
    guard !isOver else { throw .invalidated }
    if connection.descriptor < 0, Clock.milliseconds() >= due, let report = try connect() { return report }
    var watched: (pollfd, pollfd) = (
      pollfd(fd: interrupter.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    )
    let rest = pollTimeout
    let pause = limit < 0 ? rest : rest < 0 ? limit : min(rest, limit)
    let count = unsafe withUnsafeMutablePointer(to: &watched) { both in
      unsafe both.withMemoryRebound(to: pollfd.self, capacity: 2) { first in unsafe poll(first, 2, pause) }
    }
    guard count > 0 else { return nil }
    if watched.0.revents != 0 {
      let interruptions = interrupter.pending()
      if interruptions.invalidates || interruptions.cancel != nil {
        isOver = true
        connection = Connection()
        throw interruptions.invalidates ? .invalidated : .cancelled(interruptions.cancel ?? .app)
      }
    }
    return watched.1.revents != 0 ? try receive() : nil
  }

  private mutating func leaveParent() {
    guard getpid() != owner else { return }
    owner = getpid()
    interrupter = interrupter.inChild()
    connection = Connection()
    due = 0
  }

  private mutating func connect() throws(ContextError) -> BiometryReport? {
    do throws(ClientError) {
      let made = try unsafe path.withCString { (path) throws(ClientError) in try unsafe Connection(path: path) }
      do throws(FormatError) { try WatchRequest().write(into: &packet) } catch { throw .malformed }
      try made.send(packet)
      connection = consume made
      return nil
    } catch { return lost() }
  }

  /// signetd cannot be asked for now: that is told once.
  private mutating func lost() -> BiometryReport? {
    connection = Connection()
    due = Clock.milliseconds() &+ pause
    pause = min(pause &* 2, StateWatch.longestPause)
    return told(.unreachable)
  }

  private mutating func told(_ report: BiometryReport) -> BiometryReport? {
    guard report != last else { return nil }
    last = report
    return report
  }

  private mutating func receive() throws(ContextError) -> BiometryReport? {
    do throws(ClientError) { guard try connection.receive(into: &packet) else { return nil } } catch {
      // A signetd that was started anew says the same again, which is no change.
      return pause == StateWatch.firstPause ? retry() : lost()
    }
    switch packet.announced {
    case .row:
      guard let report = report() else { return lost() }
      pause = StateWatch.firstPause
      return told(report)
    case .heartbeat: return nil
    case .refused:
      guard let code = packet.announcedRefusal else { return lost() }
      isOver = true
      connection = Connection()
      throw .refused(code)
    default: return lost()
    }
  }

  /// Connects again before anything is told.
  private mutating func retry() -> BiometryReport? {
    connection = Connection()
    pause = pause &* 2
    due = 0
    return nil
  }

  private func report() -> BiometryReport? {
    do throws(FormatError) {
      let row = try BiometryRow(parsing: packet.span)
      return BiometryReport(row.state, row.lock, row.verdict, domainState: Array(copying: row.domainState))
    } catch { return nil }
  }
}
