import CLinux
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Packets that no client of ours sends, to the real signetd: the connection ends, nobody is authenticated, and the next
/// login works.
@Suite struct PacketTests {
  enum Phase: CaseIterable { case start, scanning, passcode }

  struct Packet: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    /// The phases in which it is no misuse.
    var permitted: Set<Phase> = []
  }

  static let packets: [Packet] = [
    Packet(testDescription: "one byte", bytes: [1]), Packet(testDescription: "another version", bytes: [2, 1]),
    Packet(testDescription: "kind 0", bytes: [1, 0]), Packet(testDescription: "an unknown kind", bytes: [1, 200]),
    Packet(testDescription: "a success of signetd's own", bytes: [1, 67, 0xA5, 1, 32, 0] + [UInt8](repeating: 1, count: 32)),
    Packet(testDescription: "a login without fields", bytes: [1, RequestKind.authenticate.rawValue]),
    Packet(
      testDescription: "a login with a name that does not end",
      bytes: [1, RequestKind.authenticate.rawValue, 2, 1, 0, 255, 255, 65]
    ),
    Packet(testDescription: "a login with an unknown policy", bytes: [1, RequestKind.authenticate.rawValue, 9, 1, 0, 0, 0]),
    Packet(testDescription: "a passcode cut short", bytes: [1, RequestKind.passcode.rawValue, 9, 0, 65]),
    Packet(testDescription: "a passcode longer than the limit", bytes: [1, 2, 1, 2] + [UInt8](repeating: 65, count: 513)),
    Packet(testDescription: "a request to enroll cut short", bytes: [1, RequestKind.enroll.rawValue, 4, 0]),
    Packet(testDescription: "a session of no token", bytes: [1, RequestKind.openSession.rawValue]),
    Packet(testDescription: "the Enter key", bytes: [1, RequestKind.fallback.rawValue], permitted: [.scanning, .passcode]),
    Packet(testDescription: "that it goes on reading", bytes: [1, RequestKind.follow.rawValue], permitted: [.passcode]),
    Packet(testDescription: "4,097 bytes", bytes: [1, 1] + [UInt8](repeating: 1, count: 4095)),
    Packet(testDescription: "60,000 bytes", bytes: [UInt8](repeating: 1, count: 60_000)),
  ]

  private let scene: Scene

  init() throws { scene = try Scene() }

  private func client(in phase: Phase) throws -> BareClient {
    let client = try BareClient(scene.daemon.socket)
    if phase == .start { return client }
    try client.send(authenticate(scene.daemon.user))
    try client.await(.show)
    if phase == .passcode {
      try client.send([1, RequestKind.fallback.rawValue])
      try client.await(.askPasscode)
    }
    return client
  }

  private func authenticate(_ user: String) throws -> [UInt8] {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
    let (name, service) = (Array(user.utf8), Array("test".utf8))
    try AuthenticateRequest(
      policy: .deviceOwnerAuthentication, timeout: 20, user: name.span, service: service.span, terminal: Span(),
      remoteHost: Span()
    ).write(into: &packet)
    return Array(copying: packet.span)
  }

  /// A heartbeat, or a verdict that is none.
  private func isNothing(_ reply: [UInt8]) -> Bool {
    reply[1] == ReplyKind.heartbeat.rawValue
      || reply == [1, ReplyKind.verdict.rawValue, Verdict.appCancel.rawValue, 0, 0, 0, 0, 0]
  }

  @Test(arguments: Phase.allCases)
  func `no stray packet authenticates, and each ends its connection`(phase: Phase) throws {
    for packet in Self.packets where !packet.permitted.contains(phase) {
      let client = try client(in: phase)
      try client.send(packet.bytes)
      let replies = try client.rest()
      #expect(!replies.contains { $0.prefix(3) == [1, 67, 0xA5] }, "\(packet.testDescription): \(replies)")
    }
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `nor do random ones`() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let client = try BareClient(scene.daemon.socket)
      var bytes = (0..<Int.random(in: 1...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Half of them with a right header, so that their fields are looked at.
      if Bool.random(using: &random) { bytes = [1, UInt8.random(in: 0...40, using: &random)] + bytes }
      try client.send(bytes)
      client.finishSending()
      #expect(!(try client.rest()).contains { $0.prefix(3) == [1, 67, 0xA5] }, "\(bytes)")
    }
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test(arguments: [RequestKind.enroll, .delete, .reset, .list, .openSession, .closeSession, .authenticate])
  func `during a login nothing else may be asked`(kind: RequestKind) throws {
    for phase in [Phase.scanning, .passcode] {
      let client = try client(in: phase)
      try client.send([1, kind.rawValue, 0, 0])
      #expect(try client.rest().allSatisfy(isNothing))
    }
  }

  @Test func `a passcode that was not asked for is not checked`() throws {
    for phase in [Phase.start, .scanning] {
      let client = try client(in: phase)
      let passcode = Array(RunningDaemon.passcode.utf8)
      try client.send([1, RequestKind.passcode.rawValue, UInt8(passcode.count), 0] + passcode)
      #expect(try client.rest().allSatisfy(isNothing))
    }
  }
}

/// A connection to signetd without the manners of SignetClient.
private final class BareClient {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard clinux_connect_unix(descriptor, path) == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw TestKitError("send: \(clinux_errno())")
    }
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next packet, `nil` at the end.
  private func next() throws -> [UInt8]? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, waitingLimit) == 1 else { throw TestKitError("signetd keeps the connection") }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  func await(_ kind: ReplyKind) throws {
    while let packet = try next() { if packet[1] == kind.rawValue { return } }
    throw TestKitError("no \(kind)")
  }

  /// All packets up to the end of the connection, which must come in time although heartbeats go on.
  func rest() throws -> [[UInt8]] {
    let deadline = PAMHost.microseconds() + Int64(waitingLimit) * 1000
    var packets: [[UInt8]] = []
    while let packet = try next() {
      packets.append(packet)
      guard PAMHost.microseconds() < deadline else { throw TestKitError("signetd keeps the connection") }
    }
    return packets
  }
}
