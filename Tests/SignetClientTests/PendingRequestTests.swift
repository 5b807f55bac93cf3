import CLinux
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetClient

/// A host whose signals and keys are written into pipes by the test, and what it was told.
private final class ScriptedHost: RequestHost {
  private let signalPipe = Pipe()
  private let keyPipe = Pipe()
  private var effect = HeldSignals.Effect.nothing
  private(set) var told: [String] = []

  var signals: Int32 { signalPipe.reading }
  var keys: Int32 { keyPipe.reading }

  func raise(_ effect: HeldSignals.Effect) {
    self.effect = effect
    signalPipe.write()
  }

  func type() { keyPipe.write() }

  func failure(_ error: ClientError) -> ClientError { error }

  func signalEffect() -> HeldSignals.Effect {
    signalPipe.read()
    return effect
  }

  func suspend() { told.append("suspend") }

  func isEnterPressed(_ events: Int16) -> Bool {
    keyPipe.read()
    told.append("key")
    return true
  }

  func heartbeat() { told.append("heartbeat") }

  func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    told.append("\(prompt) \(String(decoding: Array(copying: detail), as: UTF8.self))")
  }
}

private final class Pipe {
  private var ends: [Int32] = [-1, -1]
  var reading: Int32 { ends[0] }

  init() { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) }

  deinit { for end in ends { close(end) } }

  func write() { Glibc.write(ends[1], [1] as [UInt8], 1) }

  func read() {
    var byte: UInt8 = 0
    Glibc.read(ends[0], &byte, 1)
  }
}

/// The driver, with a scripted signetd at a socket.
@Suite struct PendingRequestTests {
  private func ask(_ daemon: ScriptedDaemon, _ terms: Exchange.Terms) throws -> PendingRequest {
    let kind = terms.ending == .verdict ? RequestKind.authenticate : .readers
    return try PendingRequest(secret([PacketLimit.version, kind.rawValue]), to: daemon.path, terms)
  }

  @Test func `what is shown reaches the host, and the verdict the program`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.heartbeat), .send(Packet.show(.readerBusy, detail: Array("login".utf8))),
      .send(Packet.success(.fingerprint, token: Reply.token)),
    ])
    var request = try ask(daemon, .login)
    var host = ScriptedHost()
    #expect(try request.next(&host) == .verdict(.success, .fingerprint))
    #expect(host.told == ["heartbeat", "readerBusy login"])
    try daemon.finish()
  }

  /// signetd closes behind its verdict.
  @Test func `a verdict that has arrived counts before the end of the connection`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.refusal(.biometryLockout))])
    var request = try ask(daemon, .login)
    var host = ScriptedHost()
    try daemon.finish()
    #expect(try request.next(&host) == .verdict(.biometryLockout, .none))
  }

  @Test func `a signal that has arrived counts before a verdict that has, and cancels`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.success(.fingerprint, token: Reply.token)), .expect(.cancel),
    ])
    var request = try ask(daemon, .verification)
    var host = ScriptedHost()
    var arrived = pollfd(fd: request.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&arrived, 1, 10_000) == 1)
    host.raise(.end)
    #expect(throws: ClientError.cancelled) { try request.next(&host) }
    try daemon.finish()
  }

  @Test func `a packet that has arrived counts before a key that has`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.refusal(.biometryLockout))])
    var request = try ask(daemon, .login)
    var host = ScriptedHost()
    try daemon.finish()
    host.type()
    #expect(try request.next(&host) == .verdict(.biometryLockout, .none))
    #expect(host.told == [])
  }

  @Test func `the suspend key lets the host stop, and the wait goes on`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.refusal(.biometryLockout))])
    var request = try ask(daemon, .login)
    var host = ScriptedHost()
    host.raise(.stop)
    #expect(try request.next(&host) == .verdict(.biometryLockout, .none))
    #expect(host.told == ["suspend"])
    try daemon.finish()
  }

  @Test func `the key asks for the passcode, and what is typed at the question is the program's`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.passcode),
      .send(Packet.success(.passcode, token: Reply.token)),
    ])
    var request = try ask(daemon, .login)
    var host = ScriptedHost()
    host.type()
    #expect(try request.next(&host) == .passcodeWanted(.userFallback))
    host.type()
    #expect(try request.next(&host) == .typed)
    #expect(host.told == ["key"])
    try request.answer(secret(Array("horse\n".utf8)))
    #expect(request.packet.count == 0)
    #expect(try request.next(&host) == .verdict(.success, .passcode))
    #expect(try daemon.finish()[0][2] == [1, 2, 5, 0] + Array("horse".utf8))
  }

  @Test func `a passcode that nobody asked for is not sent`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .silence])
    do {
      var request = try ask(daemon, .login)
      #expect(throws: ClientError.malformed) { try request.answer(secret(Array("horse\n".utf8))) }
    }
    #expect(try daemon.finish()[0].count == 1)
  }

  @Test func `a cancelled command waits for its end`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.readers), .expect(.cancel), .beat(2), .send(Packet.refused(.cancelled)),
    ])
    var request = try ask(daemon, .command)
    let start = Clock.milliseconds()
    request.cancel()
    #expect(Clock.milliseconds() - start >= 200)
    request.cancel()
    #expect(try daemon.finish()[0].count == 2)
  }

  @Test func `whoever says nothing is given up, and whoever has gone is told of`() throws {
    let silent = try ScriptedDaemon([.expect(.readers), .silence])
    do {
      var request = try ask(silent, Exchange.Terms(silence: 20))
      var host = ScriptedHost()
      #expect(throws: ClientError.silent) { try request.next(&host) }
    }
    try silent.finish()
    let gone = try ScriptedDaemon([.expect(.readers)])
    var request = try ask(gone, Exchange.Terms(silence: 5_000))
    var host = ScriptedHost()
    #expect(throws: ClientError.closed(0)) { try request.next(&host) }
    try gone.finish()
  }

  @Test(arguments: [false, true]) func `a signetd that is being started may say nothing for longer`(isRunning: Bool) throws {
    let daemon = try ScriptedDaemon([.expect(.readers), .silence])
    let lock = unsafe clinux_open(daemon.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    defer {
      close(lock)
      unlink(daemon.path + ".lock")
    }
    if isRunning { #expect(clinux_hold_lock(lock) == 0) }
    var terms = Exchange.Terms(silence: 20)
    terms.start = isRunning ? 60_000 : 300
    do {
      let start = Clock.milliseconds()
      var request = try ask(daemon, terms)
      var host = ScriptedHost()
      #expect(throws: ClientError.silent) { try request.next(&host) }
      #expect(isRunning ? Clock.milliseconds() - start < 60_000 : Clock.milliseconds() - start >= 300)
    }
    try daemon.finish()
  }

  @Test func `a program that must not block takes one step at a time`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .expect(.fallback), .send(Packet.refusal(.userFallback))])
    var request = try ask(daemon, .login)
    var host = ScriptedHost()
    #expect(try request.step(&host, within: 0) == nil)
    host.type()
    #expect(try request.step(&host, within: 0) == nil)
    try daemon.finish()
    #expect(try request.step(&host, within: 0) == .verdict(.userFallback, .none))
  }
}
