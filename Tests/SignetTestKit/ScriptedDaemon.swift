import CLinux
import Glibc
import SignetMemory
import SignetVocabulary
import SignetWire
import Synchronization

/// Where a script waits for its test.
public final class Gate: Sendable {
  private let state = Atomic(false)

  public init() {}

  public func open() { state.store(true, ordering: .releasing) }
  var isOpen: Bool { state.load(ordering: .acquiring) }
}

/// Plays signetd at a socket of its own, from a script, in a thread. Strict: `finish()` throws where a connection or a
/// packet of the script was not used, or where a request was not the expected one.
public final class ScriptedDaemon: @unchecked Sendable {
  /// One step of a connection.
  public enum Step: Sendable {
    /// Takes one packet, which must be of this kind.
    case expect(RequestKind)
    /// Sends these bytes as one packet.
    case send([UInt8])
    /// Sends a heartbeat every 100 ms until the client sends something or closes.
    case wait
    /// Sends a heartbeat every 20 ms until the test says that it may go on.
    case until(Gate)
    /// Sends this many heartbeats, one every 100 ms.
    case beat(Int)
    /// Sends this packet as fast as it is taken, until the client closes.
    case flood([UInt8])
    /// Sends this packet every this many milliseconds until the client closes.
    case drip([UInt8], Int32)
    /// Says nothing more until the client closes.
    case silence
  }

  public let path: String
  private let folder: String
  private let listener: Int32
  private let script: [[Step]]
  private var thread = pthread_t()
  private var isJoined = false
  /// How many connections were taken and steps played.
  private let played = Mutex(0)
  /// Written by the thread, read after it was joined.
  private var failure: String?
  private var received: [[[UInt8]]] = []

  /// Listens, and serves one connection after the other as the script says.
  ///
  /// - Parameters:
  ///   - backlog: how many connections the kernel queues before they are accepted.
  public convenience init(_ script: [Step]..., backlog: Int32 = 8) throws { try self.init(script, backlog: backlog) }

  public init(_ script: [[Step]], backlog: Int32 = 8) throws {
    self.script = script
    folder = try makeTemporaryFolder("daemon")
    path = folder + "/socket"
    listener = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0, clinux_bind_unix(listener, path) == 0, listen(listener, backlog) == 0 else {
      throw TestKitError("\(path): \(clinux_errno())")
    }
    guard !script.isEmpty else { return }
    let me = Unmanaged.passRetained(self).toOpaque()
    let started = pthread_create(
      &thread, nil,
      { me in
        guard let me else { return nil }
        let daemon = Unmanaged<ScriptedDaemon>.fromOpaque(me).takeRetainedValue()
        daemon.serve()
        return nil
      }, me)
    guard started == 0 else { throw TestKitError("pthread_create: \(started)") }
  }

  deinit {
    close(listener)
    unlink(path)
    rmdir(folder)
  }

  /// Whether a connection waits that was not accepted: any, where the script has none.
  public var hasUnserved: Bool { ScriptedDaemon.isReadable(listener, within: 0) }

  /// Waits for the script's end. Returns what each connection sent.
  @discardableResult
  public func finish() throws -> [[[UInt8]]] {
    if !script.isEmpty, !isJoined {
      isJoined = true
      pthread_join(thread, nil)
    }
    if let failure { throw TestKitError(failure) }
    return received
  }

  /// Waits until the first connection was taken, and so many steps of it were played.
  public func awaitSteps(_ steps: Int) throws {
    try wait(for: "\(steps) steps, not \(played.withLock { $0 } - 1),") { hasPlayed(steps) }
  }

  /// The same, asked and not waited for.
  public func hasPlayed(_ steps: Int) -> Bool { played.withLock { $0 > steps } }

  private func serve() {
    for (index, steps) in script.enumerated() {
      guard ScriptedDaemon.isReadable(listener, within: waitingLimit) else {
        failure = "connection \(index) was never made"
        return
      }
      let client = clinux_accept(listener, Int32(SOCK_CLOEXEC.rawValue))
      received.append([])
      played.withLock { $0 += 1 }
      for step in steps where failure == nil {
        play(step, with: client)
        played.withLock { $0 += 1 }
      }
      close(client)
    }
  }

  private func play(_ step: Step, with client: Int32) {
    switch step {
    case .expect(let kind):
      guard let packet = take(from: client) else {
        failure = "the client closed instead of sending \(kind)"
        return
      }
      if packet.count < 2 || packet[1] != kind.rawValue { failure = "not \(kind): \(packet)" }
    case .send(let packet): _ = send(packet, to: client)
    case .wait:
      while !ScriptedDaemon.isReadable(client, within: 100) { if !send(Packet.heartbeat, to: client) { return } }
    case .until(let gate):
      while !gate.isOpen {
        if !send(Packet.heartbeat, to: client) { return }
        usleep(20_000)
      }
    case .beat(let count):
      for _ in 0..<count where !ScriptedDaemon.isReadable(client, within: 100) { _ = send(Packet.heartbeat, to: client) }
    case .drip(let packet, let pause):
      while !ScriptedDaemon.isReadable(client, within: pause) { if !send(packet, to: client) { return } }
      awaitClose(of: client)
    case .flood(let packet): while send(packet, to: client) {}
    case .silence: awaitClose(of: client)
    }
  }

  private func awaitClose(of client: Int32) {
    while ScriptedDaemon.isReadable(client, within: waitingLimit), take(from: client) != nil {}
  }

  private func take(from client: Int32) -> [UInt8]? {
    guard ScriptedDaemon.isReadable(client, within: waitingLimit) else { return nil }
    var packet = [UInt8](repeating: 0, count: 65536)
    var count = recv(client, &packet, packet.count, 0)
    // Of a client that closes with packets unread the kernel tells first, and once; then comes what it sent.
    if count < 0, clinux_errno() == ECONNRESET { count = recv(client, &packet, packet.count, 0) }
    guard count > 0 else { return nil }
    received[received.count - 1].append(Array(packet[..<count]))
    return Array(packet[..<count])
  }

  private func send(_ packet: [UInt8], to client: Int32) -> Bool {
    Glibc.send(client, packet, packet.count, Int32(MSG_NOSIGNAL)) >= 0
  }

  private static func isReadable(_ descriptor: Int32, within limit: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, limit) > 0
  }
}

/// signetd's packets as bytes, for scripts.
public enum Packet {
  public static var heartbeat: [UInt8] { bytes { packet in try LoginReply.heartbeat.write(into: &packet) } }

  public static func show(_ prompt: Prompt, value: UInt8 = 0, detail: [UInt8] = []) -> [UInt8] {
    bytes { packet in try LoginReply.show(prompt, value: value, detail: detail.span).write(into: &packet) }
  }

  public static func askPasscode(_ reason: PasscodeReason) -> [UInt8] {
    bytes { packet in try LoginReply.askPasscode(reason).write(into: &packet) }
  }

  public static func refusal(_ verdict: Verdict) -> [UInt8] {
    bytes { packet in try LoginReply.verdict(verdict, .none, token: [UInt8]().span, authtok: [UInt8]().span).write(into: &packet)
    }
  }

  /// `secret` is the login secret that a finger releases.
  public static func success(_ method: EvidenceMethod, token: [UInt8], secret: [UInt8] = []) -> [UInt8] {
    bytes { packet in try LoginReply.verdict(.success, method, token: token.span, authtok: secret.span).write(into: &packet) }
  }

  public static func busy(_ crowd: Crowd) -> [UInt8] { bytes { packet in try LoginReply.busy(crowd).write(into: &packet) } }

  public static var done: [UInt8] { [PacketLimit.version, ReplyKind.done.rawValue] }

  /// Any request but `authenticate` is refused so.
  public static func refused(_ refusal: Refusal) -> [UInt8] {
    bytes { packet in try AdministrationReply.refused(refusal).write(into: &packet) }
  }

  public static func evaluated(_ verdict: Verdict, _ method: EvidenceMethod = .none) -> [UInt8] {
    bytes { packet in try EvaluatedReply(verdict, method).write(into: &packet) }
  }

  /// A part of an item's value of so many bytes.
  public static func value(_ total: Int, _ part: [UInt8]) -> [UInt8] {
    bytes { packet in try ValueReply(total: UInt32(total), part: part.span).write(into: &packet) }
  }

  public static func bytes(_ write: (inout SecretBytes) throws -> Void) -> [UInt8] {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return [] }
    do { try write(&packet) } catch { return [] }
    return packet.span.withUnsafeBytes { Array($0) }
  }
}

/// A bare connection to a socket, which takes a place in its queue.
public final class ClientSocket {
  private let descriptor: Int32

  public init(path: String) throws {
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, kind, 0)
    _ = clinux_connect_unix(descriptor, path)
  }

  deinit { close(descriptor) }
}
