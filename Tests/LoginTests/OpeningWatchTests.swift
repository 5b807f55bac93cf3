import SignetTestKit
import SignetVocabulary
import Testing

/// What a program is told that holds something of its user's vault.
@Suite struct OpeningWatchTests {
  private let scene: Scene
  private let client: LoginClient

  init() throws {
    scene = try Scene()
    client = try scene.daemon.connect()
    try client.watchVault()
  }

  @Test func `each opening has a number of its own, and a vault that is closed none`() throws {
    #expect(try client.nextOpening().opening == 0)
    _ = try scene.loginByPasscode(until: "vault made")
    let first = try client.nextOpening()
    #expect(first.opening != 0 && first.domainState.count == 32)
    let locker = try scene.daemon.connect()
    try locker.send(.lock(user: ""))
    #expect(try client.nextOpening().opening == 0)
    _ = try scene.loginByPasscode(until: "unlocked")
    let second = try client.nextOpening()
    #expect(second.opening != 0 && second.opening != first.opening && second.domainState == first.domainState)
    try scene.strikeOut()
    #expect(try client.nextOpening().opening == 0)
  }

  @Test func `what an opening releases by a finger that logged in is told, and that the fingers have changed`() throws {
    _ = try client.nextOpening()
    _ = try scene.loginByPasscode(until: "vault made")
    let first = try client.nextOpening()
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user, service: "login")
    try login.awaitArmed()
    try scene.reader.scan("right")
    let unlocked = try client.nextOpening()
    #expect(unlocked.opening == first.opening && unlocked.unlock != first.unlock)
    try scene.enroll(.leftThumb, as: "left")
    #expect(try client.nextOpening().domainState != first.domainState)
  }
}
