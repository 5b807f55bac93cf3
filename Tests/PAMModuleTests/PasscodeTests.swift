import CPAM
import SignetTestKit
import Testing

private let ask = ScriptedDaemon.Step.send(Packet.askPasscode(.misses))
private let accepted = ScriptedDaemon.Step.send(Packet.success(.passcode, token: token))

@Suite struct PasscodeTests {
  @Test func `the passcode goes to signetd as it was typed`() throws {
    let (host, requests) = try run(
      [.expect(.authenticate), ask, .expect(.passcode), .send(Packet.heartbeat), accepted], answers: ["corréct horse "])
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts == ["Password: "])
    #expect(host.step("authenticate")?.messages?.first?.style == PAM_PROMPT_ECHO_OFF)
    #expect(requests[1].dropFirst(4) == Array("corréct horse ".utf8)[...])
  }

  @Test func `a silent host is asked all the same`() throws {
    let (host, _) = try run(
      [.expect(.authenticate), ask, .expect(.passcode), accepted], answers: ["horse"], "--silent")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts == ["Password: "])
  }

  @Test func `a verified passcode is left to later modules`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), ask, .expect(.passcode), accepted])
    let module = try ReaderChannel.program("libpam_signet.so")
    let log = try PAMConfiguration()
    let configuration = try PAMConfiguration().add(
      "signet-test",
      lines: [
        "auth required \(module) socket=\(daemon.path)",
        "auth required pam_exec.so expose_authtok quiet /bin/sh -c cat>\(log.path)/authtok",
      ])
    let host = try PAMHost(service: "signet-test", user: "alice", confdir: configuration.path)
    host.answers = [.text("correct-horse")]
    #expect(host.authenticate() == PAM_SUCCESS)
    try daemon.finish()
    #expect(try RawFile.text("\(log.path)/authtok").prefix(13) == "correct-horse")
  }

  @Test func `a wrong passcode is a failure and is not left to later modules`() throws {
    let (host, _) = try run(
      [.expect(.authenticate), ask, .expect(.passcode), .send(Packet.refusal(.authenticationFailed))], answers: ["wrong"])
    #expect(host.code == PAM_AUTH_ERR)
  }

  @Test func `an empty passcode cancels`() throws {
    let (host, _) = try run([.expect(.authenticate), ask, .expect(.cancel)], answers: [""])
    #expect(host.code == PAM_AUTH_ERR)
  }

  @Test func `a passcode of the greatest length is sent whole`() throws {
    let (host, requests) = try run(
      [.expect(.authenticate), ask, .expect(.passcode), accepted], "--answer", "long:512")
    #expect(host.code == PAM_SUCCESS)
    #expect(requests[1].count == 4 + 512)
  }

  @Test(arguments: [513, 5000])
  func `a longer passcode is wrong, and not cut`(count: Int) throws {
    let (host, _) = try run([.expect(.authenticate), ask, .expect(.cancel)], "--answer", "long:\(count)")
    #expect(host.code == PAM_AUTH_ERR)
  }

  @Test func `no answer at all is a failed conversation`() throws {
    let (host, _) = try run([.expect(.authenticate), ask, .expect(.cancel)], "--answer", "nothing")
    #expect(host.code == PAM_CONV_ERR)
  }

  @Test(arguments: [PAM_CONV_ERR, PAM_CONV_AGAIN, PAM_ABORT, PAM_BUF_ERR, 77])
  func `a conversation that fails is an error, never success`(code: Int32) throws {
    let (host, _) = try run([.expect(.authenticate), ask, .expect(.cancel)], "--answer", "failure:\(code)")
    #expect(host.code == PAM_CONV_ERR)
  }

  @Test func `a message that cannot be shown ends the login`() throws {
    let (host, _) = try run([.expect(.authenticate), touch, .expect(.cancel)], "--message-code", "\(PAM_CONV_ERR)")
    #expect(host.code == PAM_CONV_ERR)
  }

  @Test func `a user who changes during a message is an error, never success`() throws {
    let (host, _) = try run([.expect(.authenticate), touch, .expect(.cancel)], "--change-user", "root")
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.step("authenticate")?.user == "root")
  }

  @Test func `a user who changes during the prompt is an error, and the passcode is not sent`() throws {
    let (host, requests) = try run(
      [.expect(.authenticate), ask, .expect(.cancel)], answers: ["horse"], "--change-user", "alicf")
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(requests.count == 2)
  }

  @Test func `a second question for the passcode is misuse`() throws {
    let (host, _) = try run([.expect(.authenticate), ask, .expect(.passcode), ask, .expect(.cancel)], answers: ["horse"])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test func `a passcode success without a passcode is misuse`() throws {
    let (host, _) = try run([.expect(.authenticate), touch, accepted, .expect(.cancel)])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test func `the user may take longer to type than signetd may be silent`() throws {
    let (host, _) = try run(
      [.expect(.authenticate), ask, .expect(.passcode), accepted], options: "timeout=1", answers: ["horse"],
      "--answer-delay", "3200000")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.milliseconds >= 3200)
  }

  @Test func `a finger's success after a passcode is misuse`() throws {
    let (host, _) = try run([.expect(.authenticate), ask, .expect(.passcode), success, .expect(.cancel)], answers: ["horse"])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }
}
