import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A context as a connection: what may be said in it, and what happens to it when something else ends.
@Suite struct ContextConnectionTests {
  private static let biometrics = Policy.deviceOwnerAuthenticationWithBiometrics
  private let scene: Scene
  private let client: LoginClient

  init() throws {
    scene = try Scene()
    client = try scene.daemon.connect()
    try client.openContext()
  }

  private func touch(_ event: ContextAnswer.Event) throws -> Bool {
    try scene.reader.scan("right")
    return true
  }

  @Test func `a thousand evaluations follow one another on one connection`() throws {
    for _ in 1...1_000 {
      #expect(try client.evaluate(Self.biometrics, mayInteract: false).end == EvaluatedReply(.notInteractive))
    }
    for _ in 1...30 { #expect(try client.evaluate(Self.biometrics, touch).end.verdict == .success) }
  }

  @Test(
    arguments: [
      [1, RequestKind.authenticate.rawValue], [1, RequestKind.enroll.rawValue, 0, 0, 0, 0, 0],
      [1, RequestKind.lock.rawValue, 0, 0],
      [1, RequestKind.context.rawValue, 0, 0], [1, RequestKind.watch.rawValue], [1, RequestKind.passcode.rawValue, 0, 0],
      [1, RequestKind.vaultReset.rawValue, 0, 0], [1, RequestKind.evaluate.rawValue], [1, RequestKind.forget.rawValue, 0],
      [2, 39],
      [1, RequestKind.vaultList.rawValue, 4, 0, 0x72, 0x6F, 0x6F, 0x74],
    ] as [[UInt8]])
  func `what does not belong into a context ends it`(packet: [UInt8]) throws {
    try client.send(raw: packet)
    #expect(try client.next() == .closed)
  }

  @Test(arguments: [RequestKind.evaluate, .canEvaluate, .forget])
  func `what belongs into a context is no request without one`(kind: RequestKind) throws {
    let stranger = try scene.daemon.connect()
    try stranger.send(raw: [1, kind.rawValue, 1])
    #expect(try stranger.next() == .closed)
  }

  @Test func `a second request before the first is answered ends the context`() throws {
    try client.send { packet in try EvaluateRequest(policy: Self.biometrics, timeout: 20).write(into: &packet) }
    #expect(try client.next() == .show(.touchReader, value: 1, detail: ""))
    try client.send { packet in try CanEvaluateRequest(policy: Self.biometrics).write(into: &packet) }
    #expect(try client.receive { try EvaluatedReply(parsing: $0.span) } == EvaluatedReply(.appCancel))
    #expect(try client.next() == .closed)
    try scene.daemon.awaitStrikes(0)
  }

  @Test func `signet-reader killed at the reader ends the evaluation, and not the context`() throws {
    let killed = try client.evaluate(Self.biometrics) { event in
      if event == .show(.touchReader, 1) { try scene.signal(SIGKILL, to: "signet-reader") }
      return true
    }
    #expect(killed.end == EvaluatedReply(.biometryNotAvailable))
    #expect(try client.canEvaluate(Self.biometrics).verdict == .success)
    #expect(try client.evaluate(Self.biometrics, touch).end == EvaluatedReply(.success, .fingerprint))
  }

  @Test func `signet-reader killed between two requests is started again`() throws {
    #expect(try client.evaluate(Self.biometrics, touch).end.verdict == .success)
    try scene.signal(SIGKILL, to: "signet-reader")
    try scene.awaitNoChild(named: "signet-reader")
    #expect(try client.evaluate(Self.biometrics, touch).end.verdict == .success)
  }

  @Test func `an upgrade ends a context that waits, at once`() throws {
    kill(scene.daemon.pid, SIGHUP)
    #expect(try client.next() == .closed)
    try scene.daemon.awaitLog("signetd: stopped")
  }

  @Test func `a stop ends an evaluation as cancelled by the system`() throws {
    let stopped = try client.evaluate(Self.biometrics) { event in
      if event == .show(.touchReader, 1) { kill(scene.daemon.pid, SIGTERM) }
      return true
    }
    #expect(stopped.end == EvaluatedReply(.systemCancel))
  }
}
