import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The vault of a user who has none yet, and an application that asks for the passcode.
@Suite struct ContextVaultTests {
  private let scene: Scene
  private let client: LoginClient

  init() throws {
    scene = try Scene(enrolls: false)
    client = try scene.daemon.connect()
    try client.openContext()
  }

  private func store(_ proving: Proving = Proving()) throws -> VaultAnswer {
    let item = Item(ItemName(service: "mail", account: "alice"), accessControl: AccessControl())
    return try client.ask(.add(user: "", item, length: 8), value: Array("a secret".utf8), proving)
  }

  @Test func `an evaluation by passcode makes it, and the first item asks for nothing`() throws {
    let answer = try client.evaluate(.deviceOwnerAuthentication)
    #expect(answer.end == EvaluatedReply(.success, .passcode))
    let stored = try store()
    #expect(stored.end == .done && stored.questions == [])
  }

  @Test func `wrong passcodes make none`() throws {
    #expect(try client.evaluate(.deviceOwnerAuthentication, passcode: "wrong").end == EvaluatedReply(.authenticationFailed))
    let stored = try store(Proving(passcode: RunningDaemon.passcode))
    #expect(stored.end == .done && stored.questions == [.passcode(.vault)])
  }
}
