import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

private let getItems = LibPAM.wrapper("pam_get_items.so")

/// A module behind ours (libpam-wrapper's pam_get_items) tells what PAM_AUTHTOK was left to it.
@Suite(.enabled(if: access(getItems, R_OK) == 0, "needs libpam-wrapper's pam_get_items.so"))
struct LoginSecretTests {
  /// A login, and what a module behind would unlock a keyring with.
  private func login(_ script: [ScriptedDaemon.Step], answers: [PAMHost.Answer] = []) throws -> (code: Int32, secret: String?) {
    let daemon = try ScriptedDaemon(script)
    let module = try ReaderChannel.program("libpam_signet.so")
    let configuration = try PAMConfiguration().add(
      "login", lines: ["auth required \(module) socket=\(daemon.path)", "auth optional \(getItems)"])
    let host = try PAMHost(service: "login", user: "alice", confdir: configuration.path)
    host.answers = answers
    let code = host.authenticate()
    try daemon.finish()
    return (code, host.environment.first { $0.hasPrefix("PAM_AUTHTOK=") }.map { String($0.dropFirst(12)) })
  }

  private func finger(_ secret: [UInt8]) -> [ScriptedDaemon.Step] {
    [.expect(.authenticate), touch, .send(Packet.success(.fingerprint, token: token, secret: secret))]
  }

  @Test(arguments: ["corréct horse ", "x", String(repeating: "s", count: 512)])
  func `what the finger released is left whole to later modules`(secret: String) throws {
    let (code, left) = try login(finger(Array(secret.utf8)))
    #expect(code == PAM_SUCCESS)
    #expect(left == secret)
  }

  @Test func `where nothing was released, nothing is left`() throws {
    let (code, left) = try login(finger([]))
    #expect(code == PAM_SUCCESS)
    #expect(left == nil)
  }

  @Test(arguments: [[0], [0, 65], [65, 0], [65, 0, 66]] as [[UInt8]])
  func `a secret with a zero byte is not cut, and the login succeeds without it`(secret: [UInt8]) throws {
    let (code, left) = try login(finger(secret))
    #expect(code == PAM_SUCCESS)
    #expect(left == nil)
    let (host, _) = try run(finger(secret), "--log")
    #expect(host.log.count == 1 && host.log[0].contains("zero byte"))
  }

  @Test func `a secret that is too long is misuse`() throws {
    let secret = [UInt8](repeating: 65, count: 513)
    let (code, left) = try login([.expect(.authenticate), .send([1, 67, 0xA5, 1, 32, 0] + token + [1, 2] + secret)])
    #expect(code == PAM_AUTHINFO_UNAVAIL)
    #expect(left == nil)
  }

  @Test func `with a passcode the passcode is left, and a secret beside it is misuse`() throws {
    let asked: [ScriptedDaemon.Step] = [.expect(.authenticate), .send(Packet.askPasscode(.misses)), .expect(.passcode)]
    let typed = try login(asked + [.send(Packet.success(.passcode, token: token))], answers: [.text("horse")])
    #expect(typed.secret == "horse")
    for method in [EvidenceMethod.passcode, .fingerprint] {
      var secret = Packet.success(.fingerprint, token: token, secret: [65])
      secret[3] = method.rawValue
      let (code, left) = try login(asked + [.send(secret), .expect(.cancel)], answers: [.text("horse")])
      #expect(code == PAM_AUTHINFO_UNAVAIL)
      #expect(left == nil)
    }
  }

  @Test func `a refusal with a secret is misuse`() throws {
    let (code, left) = try login([.expect(.authenticate), .send([1, 67, 1, 0, 0, 0, 1, 0, 65])])
    #expect(code == PAM_AUTHINFO_UNAVAIL)
    #expect(left == nil)
  }
}
