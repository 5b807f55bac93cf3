import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

private let setItems = LibPAM.wrapper("pam_set_items.so")

private let told = ScriptedDaemon.Step.expect(.passcodeChanged)
private let done = ScriptedDaemon.Step.send(Packet.done)

private let notTaken =
  "Signet did not take the new passcode; a vault may open with the old one only. After the next login: signet vault recover"

/// A module before ours (libpam-wrapper's pam_set_items) leaves the passcodes, as pam_unix does.
@Suite(.enabled(if: access(setItems, R_OK) == 0, "needs libpam-wrapper's pam_set_items.so"))
struct PasscodeChangeTests {
  /// Alice changes her passcode from `old` to `new`; root's change has no old one. `first` is what stands before all.
  private func change(
    _ script: [ScriptedDaemon.Step], old: String? = "old horse", new: String? = "new horse", control: String = "optional",
    options: String = "", items: String = "optional",
    first: String = "password required pam_debug.so prechauthtok=success chauthtok=success", launcher: [String] = [],
    _ arguments: String...
  ) throws -> (change: HostRun.Step, host: HostRun, requests: [[UInt8]]) {
    let daemon = try script.isEmpty ? ScriptedDaemon() : ScriptedDaemon(script)
    let module = "\(try ReaderChannel.program("libpam_signet.so")) socket=\(daemon.path) \(options)"
    let configuration = try PAMConfiguration().add(
      "passwd",
      lines: ["auth required pam_permit.so", first, "password \(items) \(setItems)", "password \(control) \(module)"])
    var words = ["--service", "passwd", "--confdir", configuration.path, "--password", "--state", "--log"]
    if !arguments.contains("--user") { words += ["--user", "alice"] }
    let passcodes = [old.map { "PAM_OLDAUTHTOK=\($0)" }, new.map { "PAM_AUTHTOK=\($0)" }].compactMap { $0 }
    let host = try HostRun.run(words + arguments, launcher: launcher + ["/usr/bin/env"] + passcodes)
    let requests = try daemon.finish().first ?? []
    return (try #require(host.step("password")), host, requests)
  }

  /// What was said, without what pam_debug says of itself.
  private func texts(_ step: HostRun.Step) -> [String] {
    step.messages?.map(\.text).filter { !$0.hasPrefix("prechauthtok") && !$0.hasPrefix("chauthtok") } ?? []
  }

  @Test func `signetd learns the old and the new passcode, and the user hears nothing`() throws {
    let (change, host, requests) = try change([told, .beat(2), done])
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [])
    #expect(host.step("state")?.differences == [], "\(host.step("state")?.descriptors ?? "")")
    let request: [[UInt8]] = [
      [1, 8, 5, 0], Array("alice".utf8), [9, 0], Array("old horse".utf8), [9, 0], Array("new horse".utf8),
    ]
    #expect(requests == [Array(request.joined())])
    #expect(host.log == [])
  }

  @Test func `where root sets a passcode the old one is not known`() throws {
    let (change, _, requests) = try change([told, done], old: nil)
    #expect(change.code == PAM_SUCCESS)
    #expect(requests == [[1, 8, 5, 0] + "alice".utf8 + [0, 0, 9, 0] + "new horse".utf8])
  }

  @Test func `passcodes of the greatest length are sent whole`() throws {
    let (old, new) = (String(repeating: "o", count: 512), String(repeating: "n", count: 512))
    let (_, _, requests) = try change([told, done], old: old, new: new)
    #expect(requests == [[1, 8, 5, 0] + "alice".utf8 + [0, 2] + old.utf8 + [0, 2] + new.utf8])
  }

  @Test func `the first pass neither asks nor tells anybody`() throws {
    // The module behind refuses in the first pass, so there is no second.
    let daemon = try ScriptedDaemon()
    let module = "\(try ReaderChannel.program("libpam_signet.so")) socket=\(daemon.path)"
    let configuration = try PAMConfiguration().add(
      "passwd", lines: ["password optional \(setItems)", "password optional \(module)", "password required pam_deny.so"])
    let host = try HostRun.run(
      ["--service", "passwd", "--confdir", configuration.path, "--user", "alice", "--password", "--log"],
      launcher: ["/usr/bin/env", "PAM_AUTHTOK=new horse"])
    let change = try #require(host.step("password"))
    #expect(change.code != PAM_SUCCESS)
    #expect(texts(change) == [])
    #expect(host.log.allSatisfy { !$0.contains("chauthtok") })
    // Somebody listens, but nobody connected.
    #expect(!daemon.hasUnserved)
  }

  @Test func `without a new passcode there is nothing to tell`() throws {
    let (change, host, _) = try change([], new: nil)
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [])
    #expect(host.log == [])
  }

  @Test(arguments: ["optional", "required", "requisite", "sufficient"], ["success", "authtok_err", "authtok_lock_busy"])
  func `the change is what the module before made of it`(control: String, answer: String) throws {
    let first = "password required pam_debug.so prechauthtok=success chauthtok=\(answer)"
    for end in [done, .send(Packet.refused(.vaultUnavailable(.locked))), .silence] {
      let (change, _, _) = try change([told, end], control: control, first: first)
      #expect((change.code == PAM_SUCCESS) == (answer == "success"), "\(change.code ?? -1)")
    }
  }

  @Test func `where no other module changed anything it does not say that one did`() throws {
    // In the second pass everybody says PAM_IGNORE.
    let first = "password required pam_debug.so prechauthtok=success chauthtok=ignore"
    let (change, _, _) = try change([told, done], items: "[default=ignore]", first: first)
    #expect(change.code != PAM_SUCCESS)
  }

  @Test(arguments: [
    (Refusal.otherUsersPasscode, "Only the user or root may say so."), (.passcodeFailed, "The passcode is wrong."),
    (.passcodeDelayed, "Too many wrong passcodes; try again later. `signet status` says when."),
    (.passcodeUnchecked, "The passcode could not be checked; see the log of signetd."),
    (.cancelled, "Cancelled; nothing was changed."),
    (
      .oldPasscodeOpensVault,
      "Your vault still opens with the old passcode only. `signet vault recover` takes it; nothing is lost."
    ),
  ]) func `a refusal is told in words, and its number is logged`(refusal: Refusal, words: String) throws {
    let (change, host, _) = try change([told, .beat(1), .send(Packet.refused(refusal))])
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [words])
    #expect(change.messages?.last?.style == PAM_ERROR_MSG)
    #expect(host.log.count == 1 && host.log[0].hasSuffix("refusal \(refusal.code.rawValue)"), "\(host.log)")
  }

  @Test func `what a login would show besides is left to the refusal`() throws {
    let (change, _, _) = try change(
      [told, .send(Packet.show(.passcodeDelayed, value: 5)), .send(Packet.refused(.passcodeUnchecked))])
    #expect(texts(change) == ["The passcode could not be checked; see the log of signetd."])
  }

  @Test(arguments: [
    Packet.refused(.vaultUnavailable(.damaged("/key"))), Packet.refused(.vaultUnavailable(.damaged("\u{1B}[31mred"))),
    Packet.refused(.passcodeNotSet(user: "alice\n")), [1, ReplyKind.refused.rawValue, 255, 1, 2, 3],
  ])
  func `a refusal whose words depend on more is told all the same, and nothing of its fields`(packet: [UInt8]) throws {
    let (change, host, _) = try change([told, .send(packet)])
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [notTaken])
    #expect(host.log.count == 1)
  }

  @Test func `a silent host hears nothing, and the journal has it`() throws {
    let (change, host, _) = try change([told, .send(Packet.refused(.vaultUnavailable(.locked)))], "--silent")
    #expect(texts(change) == [])
    #expect(host.log.count == 1)
  }

  @Test func `an absent signetd is told, and the passcode is changed`() throws {
    let (change, host, _) = try change([], options: "socket=/nonexistent/signet")
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [notTaken])
    #expect(host.log.contains { $0.contains("systemctl start signetd.socket") })
  }

  @Test(arguments: [[told], [told, .silence], [told, .beat(2)], [told, .beat(2), .silence]])
  func `a signetd that goes away or says nothing is given up, and the passcode is changed`(script: [ScriptedDaemon.Step]) throws {
    let (change, host, _) = try change(script)
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [notTaken])
    #expect(host.step("state")?.differences == [], "\(host.step("state")?.descriptors ?? "")")
    #expect(host.log.contains { $0.contains("signet vault recover") })
  }

  @Test(
    .enabled(if: access(strace, X_OK) == 0, "needs strace"), arguments: [[told, .silence], [told, .beat(2), .silence]])
  func `a signetd that says nothing, or nothing more, is waited for a second at most`(script: [ScriptedDaemon.Step]) throws {
    let log = try PAMConfiguration()
    let (change, _, _) = try change(script, launcher: [strace, "-o", "\(log.path)/calls", "-s", "60"])
    #expect(change.code == PAM_SUCCESS)
    let waits = try vainWaits(in: calls(in: "\(log.path)/calls", until: "password"))
    #expect(1...1000 ~= waits.reduce(0, +), "\(waits)")
  }

  @Test func `a signetd that is at work may take its time`() throws {
    let (change, _, _) = try change([told, .beat(25), done])
    #expect(change.us ?? 0 > 2_400_000)
    #expect(texts(change) == [])
  }

  @Test(arguments: Nonsense.all.filter { !["done", "a refused request"].contains($0.testDescription) })
  func `nonsense changes nothing about the change`(nonsense: Nonsense) throws {
    // Whatever comes after it.
    let (change, _, _) = try change([told, .send(nonsense.packet), done, .silence])
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [notTaken])
  }

  @Test(arguments: [
    Packet.show(.touchReader), Packet.askPasscode(.vault), Packet.success(.fingerprint, token: token), Packet.done + [0],
    Packet.refused(.passcodeFailed) + [0], [1, ReplyKind.refused.rawValue],
  ])
  func `what belongs to other requests is nonsense here`(packet: [UInt8]) throws {
    let (change, _, _) = try change([told, .send(packet), .silence])
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [notTaken])
  }

  @Test func `random packets never hold the change up and never fail it`() throws {
    var numbers = SeededGenerator(seed: 11)
    for _ in 0..<100 {
      let head: [UInt8] = [1, [64, 82, 83, 83, 83, 67].randomElement(using: &numbers) ?? 0]
      let rest = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in UInt8.random(in: 0...40, using: &numbers) }
      let (change, host, _) = try change([told, .send(head + rest), done])
      #expect(change.code == PAM_SUCCESS, "\(head + rest)")
      #expect(host.status == 0 && host.step("state")?.differences == [], "\(head + rest)")
    }
  }

  @Test(arguments: [("o", 513), ("n", 513), ("n", 5000)])
  func `a passcode that is too long is not sent, and not cut`(which: String, count: Int) throws {
    let long = String(repeating: which, count: count)
    let (change, host, _) = try change([], old: which == "o" ? long : "old", new: which == "n" ? long : "new")
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [notTaken])
    #expect(host.log.contains { $0.contains("longer than PAM allows") })
  }

  @Test(arguments: ["a/b", "a:b", "a\nb"])
  func `a name that no user can have is not sent`(name: String) throws {
    let (change, _, _) = try change([], "--user", name)
    #expect(texts(change) == [notTaken])
  }

  @Test func `debug logs no passcode`() throws {
    let (_, host, _) = try change([told, done], options: "debug")
    #expect(host.log.contains { $0.contains("told signetd of the new passcode") })
    #expect(!host.log.joined().contains("horse"))
  }

  @Test func `Ctrl-C ends the wait where the host takes it`() throws {
    let (change, host, _) = try change([told, .wait], "--sigint", "handle", "--kill-after", "100000", "INT")
    #expect(change.code == PAM_SUCCESS)
    #expect(texts(change) == [notTaken])
    #expect(host.step("handled") != nil)
    #expect(host.step("state")?.differences == [])
  }

  @Test(arguments: ["INT", "TERM", "HUP", "QUIT"])
  func `a host that a signal ends has said before what may be missing`(signal: String) throws {
    let daemon = try ScriptedDaemon([told, .wait])
    let module = "\(try ReaderChannel.program("libpam_signet.so")) socket=\(daemon.path)"
    let configuration = try PAMConfiguration().add(
      "passwd",
      lines: ["auth required pam_permit.so", "password required \(setItems)", "password optional \(module)"])
    let numbers = ["INT": SIGINT, "TERM": SIGTERM, "HUP": SIGHUP, "QUIT": SIGQUIT]
    let program = try ReaderChannel.program("pam-host")
    let lines = try Lines()
    let words =
      ["env", "PAM_AUTHTOK=new", program, "--service", "passwd", "--confdir", configuration.path, "--user", "alice"]
      + ["--password", "--print", "--kill-after", "100000", signal]
    let host = try Program(words, environment: HostRun.environment, descriptors: [1: lines.writer])
    lines.readToEnd()
    #expect(try host.waitForExit() == -(numbers[signal] ?? 0))
    #expect(lines.text.contains(notTaken))
    #expect(!lines.text.contains(#""step":"password""#))
    try daemon.finish()
  }
}
