import CPAM
import Foundation
import SignetTestKit
import Testing

@Suite struct OptionsTests {
  @Test(arguments: [
    "timout=30", "Debug", "debug=yes", "show=no", "timeout", "timeout=", "timeout=0", "timeout=3601",
    "timeout=99999999999999999999",
    "timeout=-1", "timeout=+5", "timeout=30s", "timeout=0x10", "timeout=3.5", "socket", "socket=", "socket=relative",
    "socket=/\(String(repeating: "x", count: 120))", "=", String(repeating: "y", count: 800),
  ])
  func `an unknown word or a bad value makes the module unavailable`(word: String) throws {
    let (daemon, configuration) = (try ScriptedDaemon(), try PAMConfiguration())
    for options in ["socket=\(daemon.path) \(word)", "\(word) socket=\(daemon.path)"] {
      try configuration.add("signet-test", options: options)
      let host = try PAMHost(service: "signet-test", user: "alice", confdir: configuration.path)
      #expect(host.authenticate() == PAM_AUTHINFO_UNAVAIL)
      #expect(host.messages == [])
      // PAM_IGNORE, of the only module of its stack.
      for code in [host.setCredentials(), host.openSession(), host.closeSession(), host.manageAccount(), host.changePasscode()] {
        #expect(code != PAM_SUCCESS)
      }
    }
  }

  @Test(arguments: ["timeout=1", "timeout=3600", "timeout=0030", "debug", "debug debug", "show"])
  func `a good word is taken`(word: String) throws {
    #expect(try run([.expect(.authenticate), success], options: word).host.code == PAM_SUCCESS)
  }

  @Test func `the default time-out is 30 seconds`() throws {
    let (_, requests) = try run([.expect(.authenticate), success])
    #expect(requests[0][3...4] == [30, 0])
  }

  @Test func `one service's options do not reach another in the same process`() throws {
    let script: [ScriptedDaemon.Step] = [.expect(.authenticate), success]
    let first = try ScriptedDaemon(script, script)
    let second = try ScriptedDaemon(script)
    let configuration = try PAMConfiguration()
    try configuration.add("one", options: "socket=\(first.path) timeout=5 debug").add("two", options: "socket=\(second.path)")
    try configuration.add("broken", options: "nonsense")
    for service in ["one", "broken", "two", "one"] {
      let host = try PAMHost(service: service, user: "alice", confdir: configuration.path)
      #expect(host.authenticate() == (service == "broken" ? PAM_AUTHINFO_UNAVAIL : PAM_SUCCESS))
    }
    #expect(try first.finish().map { $0[0][3] } == [5, 5])
    #expect(try second.finish().map { $0[0][3] } == [30])
  }

  @Test func `nothing is read from the environment`() throws {
    // Of the module's object file itself: libpam and libc read some variables of their own.
    let module = Data(try RawFile.read(ReaderChannel.program("libpam_signet.so")))
    for name in ["getenv", "secure_getenv", "SIGNET_", "FP_VIRTUAL"] {
      #expect(module.range(of: Array(name.utf8).withUnsafeBytes { .init($0) }) == nil, "\(name)")
    }
  }
}

@Suite struct UserNameTests {
  @Test(arguments: [
    "a/b", "../etc/passwd", "/", "a\nb", "a\tb", "a:b", "\u{1B}[2J", "\u{7F}", String(repeating: "u", count: 300),
  ])
  func `a name that no user can have is unknown, and signetd is not asked`(name: String) throws {
    let daemon = try ScriptedDaemon()
    let host = try runAlone(options: "socket=\(daemon.path)", "--user", name)
    #expect(host.code == PAM_USER_UNKNOWN)
    #expect(host.texts == [])
  }

  @Test(arguments: ["a", "alice@example.org", "EXAMPLE\\alice", "al ice", "élise", String(repeating: "u", count: 255)])
  func `a strange name is signetd's to judge`(name: String) throws {
    let (host, requests) = try run([.expect(.authenticate), .send(Packet.refusal(.biometryNotEnrolled))], "--user", name)
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(requests[0].dropFirst(7).starts(with: Array(name.utf8)))
  }

  @Test func `an empty name is unknown`() throws {
    #expect(try runAlone("--user", "").code != PAM_SUCCESS)
  }

  @Test func `a host without a name is asked for one by libpam`() throws {
    let configuration = try PAMConfiguration()
    let daemon = try ScriptedDaemon([.expect(.authenticate), success])
    try configuration.add("signet-test", options: "socket=\(daemon.path)")
    let host = try PAMHost(service: "signet-test", user: nil, confdir: configuration.path)
    host.answers = [.text("alice")]
    #expect(host.authenticate() == PAM_SUCCESS)
    #expect(host.item(PAM_USER) == "alice")
    try daemon.finish()
  }

  @Test(arguments: [PAM_CONV_ERR, PAM_BUF_ERR])
  func `a host that gives no name is not authenticated`(code: Int32) throws {
    let configuration = try PAMConfiguration().add("signet-test")
    let host = try PAMHost(service: "signet-test", user: nil, confdir: configuration.path)
    host.answers = [.failure(code)]
    #expect(host.authenticate() != PAM_SUCCESS)
  }
}
