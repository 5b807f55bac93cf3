import CPAM
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What a service takes for a proof, and in which order, as signet.conf says.
@Suite struct PromptOrderTests {
  private func scene(_ section: String) throws -> Scene { try Scene(configuration: "[service signet-test]\n\(section)\n") }

  @Test func `the passcode first is asked for with the reader at rest, and is enough`() throws {
    let scene = try scene("prompt = passcode_first")
    let run = try LoginHost(scene.daemon, answers: [RunningDaemon.passcode]).finish()
    #expect(run.code == PAM_SUCCESS)
    #expect(run.texts == ["Password: "])
    #expect(scene.daemon.strikesOnDisk == 0)
  }

  @Test func `an empty answer asks for the finger, and after three misses the passcode comes again`() throws {
    let scene = try scene("prompt = passcode_first")
    let finger = try LoginHost(scene.daemon, answers: [""]).finish(presenting: ["right"], on: scene.reader)
    #expect(finger.code == PAM_SUCCESS)
    #expect(finger.texts.first == "Password: ")
    let misses = try LoginHost(scene.daemon, answers: ["", RunningDaemon.passcode])
      .finish(presenting: ["wrong", "wrong", "wrong"], on: scene.reader)
    #expect(misses.code == PAM_SUCCESS)
    #expect(misses.texts.filter { $0 == "Password: " }.count == 2)
  }

  @Test func `a wrong passcode that comes first counts, and no finger follows`() throws {
    let scene = try scene("prompt = passcode_first")
    let run = try LoginHost(scene.daemon, answers: ["wrong horse"]).finish()
    #expect(run.code == PAM_AUTH_ERR)
    #expect(run.texts == ["Password: "])
  }

  @Test func `where only a finger is taken nobody is asked for a passcode`() throws {
    let scene = try scene("allow = finger")
    let right = try LoginHost(scene.daemon).finish(presenting: ["right"], on: scene.reader)
    #expect(right.code == PAM_SUCCESS)
    let wrong = try LoginHost(scene.daemon).finish(presenting: ["wrong", "wrong", "wrong"], on: scene.reader)
    #expect(wrong.code == PAM_AUTH_ERR)
    #expect(!wrong.texts.contains("Password: "))
    #expect(scene.daemon.strikesOnDisk == 3)
  }

  @Test func `where only the passcode is taken the reader stays closed`() throws {
    let scene = try scene("allow = passcode")
    let run = try LoginHost(scene.daemon, answers: [RunningDaemon.passcode]).finish()
    #expect(run.code == PAM_SUCCESS)
    #expect(!run.texts.contains { $0.contains("finger") })
  }

  @Test func `where the service gets no token the login is a success, and there is no session`() throws {
    let scene = try scene("token = no")
    #expect(try LoginHost(scene.daemon).finish(presenting: ["right"], on: scene.reader).code == PAM_SUCCESS)
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user, service: "signet-test")
    try login.awaitArmed()
    try scene.reader.scan("right")
    #expect(try login.next() == .verdict(.success, .fingerprint, token: []))
    let list = try scene.daemon.connect()
    try list.send(.sessions)
    #expect(try list.nextAdministration() == .done)
    // Another service gets one.
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `where Signet is off it says nothing, and the next module decides`() throws {
    let scene = try scene("allow = off")
    let run = try LoginHost(scene.daemon, control: "sufficient", next: ["auth required pam_permit.so"]).finish()
    #expect(run.code == PAM_SUCCESS)
    #expect(run.texts.isEmpty)
    let alone = try LoginHost(scene.daemon).finish()
    #expect(alone.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test func `where nothing is said, a host that hears nothing else is asked for the passcode first, and it waits for no finger`()
    throws
  {
    // Longer than any test: a finger that is waited for is never given up.
    let scene = try Scene(configuration: "prompt = either\nfinger_timeout = 1h")
    let right = try LoginHost(scene.daemon, options: "timeout=3600", answers: [RunningDaemon.passcode]).finish()
    #expect(right.code == PAM_SUCCESS && right.texts == ["Password: "])
    let wrong = try LoginHost(scene.daemon, options: "timeout=3600", answers: ["wrong horse"]).finish()
    #expect(wrong.code == PAM_AUTH_ERR && wrong.texts == ["Password: "])
    let empty = try LoginHost(scene.daemon, options: "timeout=3600", answers: [""]).finish(
      presenting: ["right"], on: scene.reader)
    #expect(empty.code == PAM_SUCCESS)
    try scene.daemon.awaitStrikes(0)
  }

  @Test func `a host that does not let anybody be asked ends at once, and no reader is armed for it`() throws {
    let scene = try Scene(configuration: "prompt = either\nfinger_timeout = 1h")
    let run = try LoginHost(scene.daemon, options: "timeout=3600", "--answer", "failure:\(PAM_CONV_ERR)").finish()
    #expect(run.code == PAM_CONV_ERR && run.texts == ["Password: "])
    #expect(scene.daemon.strikesOnDisk == 0)
  }

  @Test func `another service is asked as ever`() throws {
    let scene = try scene("allow = off")
    let run = try LoginHost(scene.daemon, service: "other-test").finish(presenting: ["right"], on: scene.reader)
    #expect(run.code == PAM_SUCCESS)
  }
}
