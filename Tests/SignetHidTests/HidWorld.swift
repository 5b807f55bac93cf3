import CLinux
import Glibc
import SignetTestKit
import Testing

/// A socket of packets on which the test waits for what must come.
final class PacketSocket {
  let descriptor: Int32
  /// Whose socket it is stays for as long.
  var world: HidWorld?

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Connects.
  convenience init(to path: String) throws {
    self.init(socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0))
    guard clinux_connect_unix(descriptor, path) == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard count == bytes.count else { throw TestKitError("not sent: \(clinux_errno())") }
  }

  /// The next packet; empty at the end.
  func next() throws -> [UInt8] {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, waitingLimit) == 1 else { throw TestKitError("nothing comes") }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Whether it has ended; what comes before that is passed over.
  func ends() throws -> Bool {
    while try !next().isEmpty {}
    return true
  }

  /// Whether nothing has come yet.
  var isQuiet: Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) == 0
  }
}

/// The real signet-hid on a bus of the test's own, with somebody on it who plays logind, and a socket in the place of /dev/uhid.
final class HidWorld {
  static let me = geteuid()

  let bus: PrivateBus
  let logind: BusPeer
  let service: Talker
  private let node: Int32
  private var socketPath: String { bus.folder + "/hid" }

  /// - Parameter launcher: what starts it.
  init(_ words: [String] = [], launcher: [String] = [], node path: String? = nil) throws {
    bus = try PrivateBus()
    logind = try BusPeer(on: bus)
    try logind.does("own")
    node = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
    guard clinux_bind_unix(node, bus.folder + "/uhid") == 0, listen(node, 8) == 0 else { throw TestKitError("no socket") }
    service = try Talker(
      launcher + [
        try ReaderChannel.program("signet-hid"), "--bus", bus.address, "--socket", bus.folder + "/hid", "--device",
        path ?? bus.folder + "/uhid",
      ] + words, environment: ["PATH=/usr/bin:/bin"], talksOn: 2)
  }

  deinit { close(node) }

  /// A connection of the user who runs the test.
  func connect() throws -> PacketSocket {
    var connection: PacketSocket?
    try wait(for: "its socket") {
      connection = try? PacketSocket(to: socketPath)
      return connection != nil
    }
    connection?.world = self
    return try #require(connection)
  }

  /// One that is known to wait, because another one beside it is closed.
  func connectAndWait() throws -> PacketSocket {
    let connection = try connect()
    _ = try connect().ends()
    return connection
  }

  /// Gives the seat to a session of that user.
  func seat(_ session: String = "c1", _ uid: UInt32 = HidWorld.me, _ properties: String = "") throws {
    try logind.does("at-seat \(session) \(uid) \(properties)")
    try logind.does("active \(session)")
  }

  /// The next device that is made: what it gets and sends is what the kernel would see, which has been told what it is.
  func device() throws -> (PacketSocket, description: [UInt8]) {
    var ready = pollfd(fd: node, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, waitingLimit) == 1 else { throw TestKitError("no device is made") }
    let device = PacketSocket(clinux_accept(node, 0))
    device.world = self
    return (device, try device.next())
  }

  /// Whether no other device is made.
  var hasNoOther: Bool {
    var ready = pollfd(fd: node, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) == 0
  }
}
