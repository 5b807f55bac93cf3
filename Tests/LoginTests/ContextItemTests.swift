import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What one evaluation has proved counts for the items that are read after it in the same context, and for nothing else.
@Suite struct ContextItemTests {
  private static let value = Array("a secret".utf8)
  private static let name = ItemName(service: "mail", account: "alice")

  private let scene: Scene
  private let client: LoginClient

  /// A context, and an item for the fingers that are enrolled.
  init() throws {
    scene = try Scene()
    _ = try scene.loginByPasscode(until: "vault made")
    client = try scene.daemon.connect()
    try client.openContext()
    let item = Item(Self.name, accessControl: AccessControl(.biometryAny))
    guard try client.ask(.add(user: "", item, length: 8), value: Self.value).end == .done else {
      throw TestKitError("not stored")
    }
  }

  private func evaluate() throws {
    let answer = try client.evaluate(.deviceOwnerAuthenticationWithBiometrics) { [reader = scene.reader] event in
      try reader.scan("right")
      return true
    }
    guard answer.end == EvaluatedReply(.success, .fingerprint) else { throw TestKitError("\(answer)") }
  }

  private func read(_ client: LoginClient? = nil) throws -> VaultAnswer {
    try (client ?? self.client).ask(.read(user: "", Self.name), Proving(touch: scene.touch()))
  }

  /// What a read asks for.
  private func questions(_ client: LoginClient? = nil) throws -> [VaultAnswer.Question] {
    let answer = try read(client)
    guard answer.value == Self.value else { throw TestKitError("\(answer)") }
    return answer.questions
  }

  @Test func `an evaluation opens items until it is forgotten`() throws {
    try evaluate()
    for _ in 1...3 { #expect(try questions() == []) }
    try client.forget()
    #expect(try questions() == [.finger])
  }

  @Test func `a read that asked opens the next`() throws {
    #expect(try questions() == [.finger])
    #expect(try questions() == [])
  }

  @Test func `no other context and no request of its own has it`() throws {
    try evaluate()
    let other = try scene.daemon.connect()
    try other.openContext()
    #expect(try questions(other) == [.finger])
    #expect(try questions(try scene.daemon.connect()) == [.finger])
  }

  @Test func `it ends with the connection`() throws {
    try evaluate()
    client.disconnect()
    let next = try scene.daemon.connect()
    try next.openContext()
    #expect(try questions(next) == [.finger])
  }

  @Test func `a lock ends it, also after the passcode`() throws {
    try evaluate()
    let locker = try scene.daemon.connect()
    try locker.send(.lock(user: ""))
    #expect(try locker.nextAdministration() == .done)
    _ = try scene.loginByPasscode(until: "vault opened")
    #expect(try questions() == [.finger])
  }

  @Test func `five strikes end it, also after the passcode`() throws {
    try evaluate()
    try scene.strikeOut()
    _ = try scene.loginByPasscode(until: "vault opened")
    #expect(try questions() == [.finger])
  }

  @Test func `another finger ends what a finger proved`() throws {
    try evaluate()
    try scene.enroll(.leftThumb, as: "left")
    // This reader compares with the first finger only.
    let answer = try client.ask(.read(user: "", Self.name), Proving(touch: scene.touch("left")))
    #expect(answer.value == Self.value && answer.questions == [.finger])
  }

  @Test func `the passcode of an evaluation opens what asks for it`() throws {
    let item = Item(ItemName(service: "safe", account: ""), accessControl: AccessControl(.devicePasscode))
    #expect(try client.ask(.add(user: "", item, length: 8), value: Self.value).end == .done)
    let answer = try client.evaluate(.deviceOwnerAuthentication) { [client] event in
      guard event == .show(.touchReader, 1) else { return false }
      try client.fallback()
      return true
    }
    #expect(answer.end == EvaluatedReply(.success, .passcode))
    let released = try client.ask(.read(user: "", item.name))
    #expect(released.value == Self.value && released.questions == [])
    // A finger is another thing.
    #expect(try questions() == [.finger])
  }
}
