import Glibc
import SignetBusProgram
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetLogind

/// The real signet-logind on a bus of the test's own, with somebody on it who plays logind, and a scripted signetd.
@Suite(
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
struct SessionLockTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private static let done: [UInt8] = [PacketLimit.version, 82]
  /// One lock that is asked for, and done.
  private static let lock: [ScriptedDaemon.Step] = [.expect(.lock), .send(done)]

  private func listener(_ daemon: ScriptedDaemon) throws -> Talker { try listener(socket: daemon.path) }

  private func listener(socket: String) throws -> Talker {
    try Talker(
      [try ReaderChannel.program("signet-logind"), "--bus", bus.address, "--socket", socket], talksOn: 2)
  }

  /// Logind, with a session of root's and one of nobody's.
  private func logind() throws -> BusPeer {
    let logind = try BusPeer(on: bus)
    try logind.does("session of_root 0")
    try logind.does("session of_nobody 65534")
    try logind.does("own")
    return logind
  }

  /// Whose lock was asked for, in order.
  private func users(_ daemon: ScriptedDaemon) throws -> [String] {
    try daemon.finish().flatMap { $0 }.map { bytes in
      guard var packet = SecretBytes(capacity: PacketLimit.packet), packet.append(bytes.span) else {
        throw TestKitError("no memory")
      }
      return try Self.user(in: packet)
    }
  }

  private static func user(in packet: borrowing SecretBytes) throws -> String {
    var fields = ByteReader(packet.span)
    _ = try fields.header()
    guard case .lock(let user) = try AdministrationRequest(kind: .lock, parsing: fields) else { throw TestKitError("no lock") }
    return user
  }

  // MARK: Who is locked

  @Test func `the lock of a session locks its user, each time`() throws {
    let daemon = try ScriptedDaemon(Self.lock, Self.lock, Self.lock)
    let logind = try logind()
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    for session in ["of_root", "of_nobody", "of_root"] { try logind.does("lock \(session)") }
    #expect(try users(daemon) == ["root", "nobody", "root"])
    try listener.line(with: "the passcode of nobody is required from now on")
  }

  @Test(arguments: ["lock", "lock-at-all"])
  func `a lock of anybody else's is ignored, also one that is addressed to us`(command: String) throws {
    let daemon = try ScriptedDaemon(Self.lock)
    let logind = try logind()
    let impostor = try BusPeer(on: bus)
    try impostor.does("session of_nobody 65534")
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    try impostor.does("\(command) of_nobody")
    try logind.does("lock of_root")
    #expect(try users(daemon) == ["root"])
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to become another user"))
  func `a logind that is neither root nor we is not believed`() throws {
    let daemon = try ScriptedDaemon(Self.lock)
    let impostor = try BusPeer(on: bus, as: ["setpriv", "--reuid=65534", "--clear-groups"])
    try impostor.does("session of_nobody 65534")
    try impostor.does("own")
    let listener = try listener(daemon)
    try listener.line(with: "is not root: not believed")
    try impostor.does("lock of_nobody")
    try listener.line(with: "a lock is ignored")
    try impostor.does("release")
    let logind = try logind()
    try listener.line(with: "listening to logind")
    try logind.does("lock of_root")
    #expect(try users(daemon) == ["root"])
  }

  @Test func `a session that logind does not know, or describes oddly, or of nobody known, locks nobody`() throws {
    let daemon = try ScriptedDaemon(Self.lock)
    let logind = try logind()
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    try logind.does("lock of_whom")
    try listener.line(with: "Get of /org/freedesktop/login1/session/of_whom")
    try logind.does("odd-session odd")
    try logind.does("lock odd")
    try listener.line(with: "the user of /org/freedesktop/login1/session/odd has another type")
    try logind.does("session nameless 3999999999")
    try logind.does("lock nameless")
    try listener.line(with: "uid 3999999999 of /org/freedesktop/login1/session/nameless has no name")
    try logind.does("lock of_root")
    #expect(try users(daemon) == ["root"])
  }

  // MARK: What comes and goes

  @Test func `a logind that is not there is named once and waited for`() throws {
    let daemon = try ScriptedDaemon(Self.lock)
    let listener = try listener(daemon)
    try listener.line(with: "logind is not there; waiting for it")
    let logind = try logind()
    #expect(try listener.line(with: "signet-logind") == "<6>signet-logind: listening to logind")
    try logind.does("lock of_root")
    #expect(try users(daemon) == ["root"])
  }

  @Test func `a logind that was logind is not any more`() throws {
    let daemon = try ScriptedDaemon(Self.lock)
    let old = try logind()
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    try old.does("release")
    try listener.line(with: "logind is not there; waiting for it")
    let new = try logind()
    try listener.line(with: "listening to logind")
    try old.does("lock-at-all of_nobody")
    try new.does("lock of_root")
    #expect(try users(daemon) == ["root"])
  }

  @Test func `a bus that goes and comes again is listened to again`() throws {
    let daemon = try ScriptedDaemon(Self.lock, Self.lock)
    do {
      let logind = try logind()
      let listener = try listener(daemon)
      try listener.line(with: "listening to logind")
      try logind.does("lock of_root")
      try listener.line(with: "the passcode of root")
      try bus.end()
      try listener.line(with: "the bus closed the connection; trying again in 1 s")
      try bus.start()
      let again = try self.logind()
      try listener.line(with: "listening to logind")
      try again.does("lock of_nobody")
      try listener.line(with: "the passcode of nobody")
    }
    #expect(try users(daemon) == ["root", "nobody"])
  }

  @Test func `a bus that is not there is tried again`() throws {
    try bus.end()
    let daemon = try ScriptedDaemon(Self.lock)
    let listener = try listener(daemon)
    try listener.line(with: "no bus at \(bus.address)")
    try bus.start()
    try listener.line(with: "logind is not there")
    let logind = try logind()
    try listener.line(with: "listening to logind")
    try logind.does("lock of_root")
    #expect(try users(daemon) == ["root"])
  }

  private static let switchedOff: [UInt8] = [PacketLimit.version, 83, RefusalCode.lockSwitchedOff.rawValue]

  @Test func `a signetd that refuses is said, and asked again with the next lock`() throws {
    let daemon = try ScriptedDaemon([.expect(.lock), .send(Self.switchedOff)], Self.lock)
    let logind = try logind()
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    try logind.does("lock of_root")
    try listener.line(with: "root is not locked: refused: passcode_after_lock is off")
    try logind.does("lock of_root")
    try listener.line(with: "the passcode of root")
    #expect(try users(daemon) == ["root", "root"])
  }

  @Test func `a signetd that does not answer is asked again until the lock is done`() throws {
    let daemon = try ScriptedDaemon([.expect(.lock)], Self.lock)
    let logind = try logind()
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    try logind.does("lock of_root")
    try listener.line(with: "trying again in 1 s")
    try listener.line(with: "the passcode of root")
    #expect(try users(daemon) == ["root", "root"])
  }

  @Test func `a session that was unlocked meanwhile is not locked afterwards`() throws {
    let daemon = try ScriptedDaemon([.expect(.lock)], [.expect(.lock)], Self.lock)
    let logind = try logind()
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    try logind.does("lock of_root")
    try listener.line(with: "trying again in 2 s")
    try logind.does("unlock of_root")
    try logind.does("lock of_nobody")
    try listener.line(with: "the passcode of nobody")
    #expect(try users(daemon) == ["root", "root", "nobody"])
  }

  @Test func `a signetd that is busy is asked again until there is a place`() throws {
    let busy: [ScriptedDaemon.Step] = [.expect(.lock), .send(Packet.busy(.ofAsker))]
    let daemon = try ScriptedDaemon(busy, busy, Self.lock)
    let logind = try logind()
    let listener = try listener(daemon)
    try listener.line(with: "listening to logind")
    try logind.does("lock of_root")
    try listener.line(with: "the passcode of root")
    #expect(try users(daemon) == ["root", "root", "root"])
  }

  @Test(arguments: ForeignTextVector.all) func `a user's name makes no second line of the log`(vector: ForeignTextVector) {
    let written = BusLog.line("signet-logind", .warning, vector.text)
    #expect(written.hasPrefix("<4>signet-logind: ") && written.last == "\n" && vector.expects(String(written.dropLast())))
  }

  @Test(arguments: [["--bus"], ["--bus", ""], ["--user", "root"], ["lock"], ["--idle-exit", "5"]])
  func `a command line that is not known is refused`(words: [String]) throws {
    #expect(throws: BusArguments.Refusal.self) { try BusArguments(parsing: words, bus: "") }
  }

  @Test func `the wait for the bus doubles, to a minute, and begins anew`() {
    var backoff = Backoff()
    #expect((0..<8).map { _ in backoff.next() } == [1, 2, 4, 8, 16, 32, 60, 60])
    backoff.reset()
    #expect(backoff.next() == 1)
  }
}
