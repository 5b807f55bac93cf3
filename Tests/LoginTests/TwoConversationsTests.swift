import CPAM
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A desktop that asks for the passcode in one conversation and for the finger in another, of the same user: gdm, and Plasma's locker.
@Suite struct TwoConversationsTests {
  private let scene: Scene

  /// As it is by itself where the machine has both services.
  init() throws { scene = try Scene(configuration: "[service gdm-password]\nallow = passcode\n") }

  /// The conversation about the finger, to its end.
  private func finger(_ fingers: [String]) throws -> (code: Int32, host: PAMHost) {
    let module = try ReaderChannel.program("libpam_fprintd.so")
    try scene.daemon.write("pam/gdm-fingerprint", "auth required \(module) socket=\(scene.daemon.socket)\n")
    let host = try PAMHost(service: "gdm-fingerprint", user: scene.daemon.user, confdir: scene.daemon.confdir)
    let reader = scene.reader
    var rest = fingers[...]
    host.onMessage = { _, message in
      if message.text.asksForFinger, let finger = rest.popFirst() { try? reader.scan(finger) }
    }
    return (host.authenticate(), host)
  }

  /// The question for the passcode, which stands.
  private func question() throws -> LoginClient {
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user, service: "gdm-password")
    #expect(try login.next() == .askPasscode(.passcodeFirst))
    return login
  }

  @Test func `a finger wins while the passcode's question stands, which costs no strike when it goes`() throws {
    let login = try question()
    let (code, host) = try finger(["right"])
    #expect(code == PAM_SUCCESS)
    #expect(!host.messages.contains { $0.style == PAM_ERROR_MSG })
    login.disconnect()
    // Who was let in does not wait for the disk; the next question of the account does.
    try question().disconnect()
    #expect(scene.daemon.strikesOnDisk == 0)
    #expect(try finger(["right"]).code == PAM_SUCCESS)
  }

  @Test func `misses in one and wrong passcodes in the other are one account's`() throws {
    #expect(try finger(["wrong", "wrong", "wrong"]).code == PAM_MAXTRIES)
    let wrong = try LoginHost(scene.daemon, service: "gdm-password", answers: ["wrong horse"]).finish()
    #expect(wrong.code == PAM_AUTH_ERR)
    #expect(scene.daemon.strikesOnDisk == 3)
    let (code, host) = try finger(["wrong", "wrong"])
    #expect(code == PAM_AUTHINFO_UNAVAIL)
    #expect(scene.daemon.strikesOnDisk == 5)
    #expect(!host.messages.contains { $0.style == PAM_PROMPT_ECHO_OFF })
    let locked = try finger([])
    #expect(locked.code == PAM_AUTHINFO_UNAVAIL)
    #expect(locked.host.messages.map(\.style) == [PAM_ERROR_MSG])
    let right = try LoginHost(scene.daemon, service: "gdm-password", answers: [RunningDaemon.passcode]).finish()
    #expect(right.code == PAM_SUCCESS)
    try scene.daemon.awaitStrikes(0)
    #expect(try finger(["right"]).code == PAM_SUCCESS)
  }
}
