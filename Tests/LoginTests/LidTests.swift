import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What a closed lid changes for logins and applications, as signet.conf(5) says.
@Suite struct LidTests {
  private let folder = try! TemporaryFolder()

  private func scene(_ configuration: String, lid state: String) throws -> Scene {
    mkdir(folder.path + "/LID0", 0o755)
    try RawFile.create(folder.path + "/LID0/state", [])
    try lid(state)
    return try Scene(configuration: configuration, options: ["--lid-dir", folder.path])
  }

  private func lid(_ state: String) throws {
    unlink(folder.path + "/LID0/state")
    try RawFile.create(folder.path + "/LID0/state", Array("state:      \(state)\n".utf8))
  }

  @Test func `with the lid closed a login says why and asks for the passcode at once, and costs no strike`() throws {
    let scene = try scene("lid = passcode", lid: "closed")
    let run = try LoginHost(scene.daemon, answers: [RunningDaemon.passcode]).finish()
    #expect(run.code == PAM_SUCCESS)
    #expect(run.texts == ["The fingerprint reader is not used while the lid is closed", "Password: "])
    #expect(scene.daemon.strikesOnDisk == 0)
    #expect(throws: TestKitError.self) { try scene.reader.scan("right") }
  }

  @Test func `when the lid is opened the next login is asked for the finger`() throws {
    let scene = try scene("lid = passcode", lid: "closed")
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.readerUnavailable))
    try client.cancel()
    try lid("open")
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `status says why the passcode is asked, until the lid is opened`() throws {
    let scene = try scene("lid = passcode", lid: "closed")
    func obstacles() throws -> [ReaderObstacle] {
      let client = try scene.daemon.connect()
      try client.send(.readers)
      var found: [ReaderObstacle] = []
      while case .reader(let reader) = try client.nextAdministration() { found.append(reader.obstacle) }
      return found
    }
    #expect(try obstacles() == [.lidClosed])
    try lid("open")
    #expect(try obstacles() == [.none])
  }

  @Test func `an application hears that no finger can be used, but that there is a reader`() throws {
    let scene = try scene("lid = passcode", lid: "closed")
    let client = try scene.daemon.connect()
    try client.openContext()
    let answer = try client.canEvaluate(.deviceOwnerAuthenticationWithBiometrics)
    #expect(answer.verdict == .biometryNotAvailable && answer.biometry == .touchID)
    #expect(try client.canEvaluate(.deviceOwnerAuthentication).verdict == .success)
    #expect(try client.evaluate(.deviceOwnerAuthenticationWithBiometrics).end == EvaluatedReply(.biometryNotAvailable))
    #expect(try client.evaluate(.deviceOwnerAuthentication).end == EvaluatedReply(.success, .passcode))
    try lid("open")
    #expect(try client.canEvaluate(.deviceOwnerAuthenticationWithBiometrics).verdict == .success)
  }

  @Test(arguments: ["", "lid = auto", "lid = ignore"])
  func `a reader that nobody knows to be built in goes on working with the lid closed`(configuration: String) throws {
    let scene = try scene(configuration, lid: "closed")
    #expect(try scene.attempt("right").isSuccess)
    let client = try scene.daemon.connect()
    try client.openContext()
    #expect(try client.canEvaluate(.deviceOwnerAuthenticationWithBiometrics).verdict == .success)
  }
}
