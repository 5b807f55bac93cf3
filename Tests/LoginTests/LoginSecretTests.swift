import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The login secret in a verdict: to whom, for what, and what a login does that cannot have it. With real keyrings:
/// `Keyrings/KeyringTests`.
@Suite struct LoginSecretTests {
  private let scene: Scene
  private static let secret = Array("the keyring's own".utf8)

  /// Services `greeter` and `other`; the first gets the login secret.
  init() throws { scene = try LoginSecretTests.scene() }

  private static func scene(keeps: Bool = false) throws -> Scene {
    try Scene(configuration: "authtok_services = greeter\n\(keeps ? "release_authtok = yes\n" : "")")
  }

  private func store(_ secret: [UInt8] = secret) throws {
    let item = VaultRequest.add(user: "", .loginSecret, length: UInt32(secret.count))
    #expect(try scene.ask(item, value: secret, Proving(passcode: RunningDaemon.passcode)).end == .done)
  }

  /// A login at a service: what it was asked, how it ended, and what it got.
  private struct Attempt: Equatable {
    var isSuccess = false
    var locked: LockReason?
    var wasAskedForFinger = false
    var authtok: [UInt8] = []
  }

  private func logIn(
    _ service: String = "greeter", to scene: Scene? = nil, finger: String = "right", passcode: String? = nil
  ) throws -> Attempt {
    let scene = scene ?? self.scene
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: service)
    var attempt = Attempt()
    while true {
      switch try client.next() {
      case .show(.touchReader, _, _):
        attempt.wasAskedForFinger = true
        try scene.reader.scan(finger)
      case .show(.locked, let value, _): attempt.locked = LockReason(rawValue: value)
      case .show: continue
      case .askPasscode: if let passcode { try client.answer(passcode: passcode) } else { try client.cancel() }
      case let reply:
        attempt.isSuccess = reply.isSuccess
        attempt.authtok = client.authtok
        return attempt
      }
    }
  }

  private static let released = Attempt(isSuccess: true, wasAskedForFinger: true, authtok: secret)
  private static let withoutSecret = Attempt(isSuccess: true, wasAskedForFinger: true)

  @Test func `a finger releases it to a service of the list, each time`() throws {
    try store()
    #expect(try logIn() == LoginSecretTests.released)
    #expect(try logIn() == LoginSecretTests.released)
    #expect(scene.daemon.loggedSoFar.contains("login secret released by finger"))
    #expect(!scene.daemon.loggedSoFar.contains(String(decoding: LoginSecretTests.secret, as: UTF8.self)))
  }

  @Test(arguments: ["other", "sudo", "greeter2", "", "greete"]) func `no other service gets it`(service: String) throws {
    try store()
    #expect(try logIn(service) == LoginSecretTests.withoutSecret)
  }

  @Test func `who has none logs in by finger all the same`() throws {
    #expect(try logIn() == LoginSecretTests.withoutSecret)
  }

  @Test func `a passcode releases nothing: the program has what was typed`() throws {
    try store()
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: "greeter")
    try client.awaitArmed()
    try client.fallback()
    #expect(try client.verdict(passcode: RunningDaemon.passcode).isSuccess)
    #expect(client.authtok.isEmpty)
  }

  @Test func `while the vault is closed the passcode is asked for, and opens it`() throws {
    try store()
    let client = try scene.daemon.connect()
    // The end of signetd is the end of every open key.
    try scene.restart()
    _ = client
    #expect(try logIn() == Attempt(locked: .vaultClosed))
    #expect(try logIn("other") == LoginSecretTests.withoutSecret)
    #expect(try logIn(passcode: RunningDaemon.passcode) == Attempt(isSuccess: true, locked: .vaultClosed))
    try scene.daemon.awaitLog("vault opened")
    #expect(try logIn() == LoginSecretTests.released)
  }

  @Test func `after the fingers changed the passcode is asked for until the secret is stored anew`() throws {
    try store()
    try scene.daemon.enroll(.leftThumb, as: "left", on: scene.reader)
    #expect(try logIn() == Attempt(locked: .fingersChanged))
    #expect(try logIn(passcode: RunningDaemon.passcode) == Attempt(isSuccess: true, locked: .fingersChanged))
    let anew = Array("another".utf8)
    let update = VaultRequest.update(user: "", .loginSecret, length: UInt32(anew.count))
    #expect(try scene.ask(update, value: anew).end == .done)
    #expect(try logIn(finger: "left").authtok == anew)
  }

  @Test func `once it is deleted a finger is enough again`() throws {
    try store()
    try scene.daemon.enroll(.leftThumb, as: "left", on: scene.reader)
    #expect(try scene.ask(.delete(user: "", .loginSecret)).end == .done)
    #expect(try logIn(finger: "left").locked == nil)
  }

  @Test func `no request reads it, by whatever proof`() throws {
    try store()
    let answer = try scene.ask(.read(user: "", .loginSecret), Proving(touch: scene.touch(), passcode: RunningDaemon.passcode))
    #expect(answer.end == .refused(.loginSecretIsForLogins) && answer.value == nil && answer.questions.isEmpty)
  }

  @Test(arguments: [0, 513]) func `no longer and no shorter one is stored than PAM can carry`(count: Int) throws {
    let item = VaultRequest.add(user: "", .loginSecret, length: UInt32(count))
    let value = [UInt8](repeating: 0x61, count: count)
    #expect(try scene.ask(item, value: value, Proving(passcode: RunningDaemon.passcode)).end == .refused(.loginSecretLength))
  }

  @Test func `one with a zero byte is refused: PAM would end it there`() throws {
    let item = VaultRequest.add(user: "", .loginSecret, length: 3)
    #expect(
      try scene.ask(item, value: [1, 0, 2], Proving(passcode: RunningDaemon.passcode)).end == .refused(.loginSecretZeroByte))
  }

  @Test func `with release_authtok a typed passcode is kept, and a new one takes its place`() throws {
    let scene = try LoginSecretTests.scene(keeps: true)
    func typed(_ passcode: String, until done: String) throws {
      let times = scene.daemon.loggedSoFar.components(separatedBy: done).count
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user, service: "greeter")
      try client.awaitArmed()
      try client.fallback()
      #expect(try client.verdict(passcode: passcode).isSuccess)
      while scene.daemon.loggedSoFar.components(separatedBy: done).count == times { try scene.daemon.awaitMoreLog() }
    }
    try typed(RunningDaemon.passcode, until: "login secret stored")
    #expect(try logIn(to: scene).authtok == Array(RunningDaemon.passcode.utf8))
    try scene.daemon.write("passcodes", "\(scene.daemon.user):new horse:signet-passcode\n")
    let change = try scene.daemon.connect().passcodeChanged(scene.daemon.user, from: RunningDaemon.passcode, to: "new horse")
    #expect(change.end == .done)
    #expect(try logIn(to: scene).authtok == Array("new horse".utf8))
    // After the fingers changed it is gone, and comes back with the next passcode.
    try scene.daemon.enroll(.leftThumb, as: "left", on: scene.reader)
    #expect(try logIn(to: scene, passcode: "new horse") == Attempt(isSuccess: true, locked: .fingersChanged))
    try scene.daemon.awaitLog("login secret stored")
  }

  @Test func `without it nothing is kept`() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: "greeter")
    try client.awaitArmed()
    try client.fallback()
    #expect(try client.verdict(passcode: RunningDaemon.passcode).isSuccess)
    try scene.daemon.awaitLog("vault made")
    #expect(try scene.ask(.list(user: "")).items.isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to ask as somebody else"))
  func `only a service that runs as root gets it`() throws {
    let item = VaultRequest.add(user: "nobody", .loginSecret, length: 3)
    try scene.daemon.write("passcodes", "nobody:horse:signet-passcode\n")
    chmod(scene.daemon.folder, 0o711)
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
    #expect(try scene.ask(item, value: [1, 2, 3], Proving(passcode: "horse")).end == .done)
    for (uid, expected) in [(65_534, "success true, login secret false"), (0, "success true, login secret true")] {
      let login = try Talker(
        [ReaderChannel.program("pam-host"), "administer", scene.daemon.socket, "\(uid)", "finger", "greeter"], talksOn: 1)
      try login.line(with: "armed")
      try scene.reader.scan("nobody's")
      try login.line(with: expected)
    }
  }
}
