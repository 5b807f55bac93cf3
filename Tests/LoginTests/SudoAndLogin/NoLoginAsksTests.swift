import SignetTestKit
import Testing

/// Between the installation and the profile: no login asks Signet, and every command that somebody tries then says so.
extension `Debian's sudo and login` {
  private static let notices = [
    ("C", "No login asks Signet yet. Switch it on: sudo pam-auth-update --enable signet"),
    ("ko_KR", "아직 Signet을 쓰는 로그인이 없습니다. 켜려면: sudo pam-auth-update --enable signet"),
  ]

  @Test func `as long as no login asks Signet, it is said with the command that changes it, in the user's language`() throws {
    let world = try World()
    try world.startDaemon()
    let finger = ["enroll", "right-index-finger", "--user", World.user]
    for (locale, notice) in Self.notices {
      try strip(world)
      #expect(try said(["status"], locale, world).hasSuffix(" \(notice)\r\n"))
      #expect(try said(["policy", "sudo"], locale, world).hasSuffix("\r\n# \(notice)\r\n"))
      if locale == "C" { #expect(try enrolled(finger, world).hasSuffix("\r\n\(notice)\r\n")) }
      try restore(world)
      for words in [["status"], ["policy", "sudo"]] {
        #expect(try !said(words, locale, world).contains("--enable signet"), "\(words)")
      }
    }
  }

  @Test func `a service that there is not has no policy, and one that is near is named`() throws {
    let world = try World()
    let places = "for lack of a file of that name in /etc/pam.d, /usr/lib/pam.d."
    #expect(try said(["policy", "nosuchservice"], "C", world) == "signet: there is no PAM service nosuchservice, \(places)\r\n")
    #expect(try said(["policy", "sduo"], "C", world) == "signet: there is no PAM service sduo, \(places) Did you mean sudo?\r\n")
    let korean = "signet: PAM 서비스 sduo이(가) 없습니다. /etc/pam.d, /usr/lib/pam.d에 그런 이름의 파일이 없습니다. sudo을(를) 뜻하셨습니까?\r\n"
    #expect(try said(["policy", "sduo"], "ko_KR", world) == korean)
  }

  /// Takes the profile out of PAM, as it is before anybody has enabled it.
  private func strip(_ world: World) throws { try shell("pam-auth-update --disable signet", world) }

  /// By the command that was named.
  private func restore(_ world: World) throws { try shell("pam-auth-update --enable signet", world) }

  private func shell(_ line: String, _ world: World) throws {
    let terminal = try world.run(["sh", "-ec", line])
    try terminal.readToEnd()
    guard try terminal.waitForExit() == 0 else { throw TestKitError(terminal.screen) }
  }

  private func start(_ words: [String], _ locale: String, _ world: World) throws -> PseudoTerminal {
    try world.run(["env", "LC_ALL=\(locale).UTF-8", "signet"] + words)
  }

  private func said(_ words: [String], _ locale: String, _ world: World) throws -> String {
    let terminal = try start(words, locale, world)
    try terminal.readToEnd()
    _ = try terminal.waitForExit()
    return terminal.screen
  }

  private func enrolled(_ words: [String], _ world: World) throws -> String {
    let terminal = try start(words, "C", world)
    try terminal.read(until: "fingerprint reader")
    try world.reader.scan("right")
    for completed in 1..<5 {
      try terminal.read(until: "\(completed) of 5")
      try world.reader.scan("right")
    }
    try terminal.readToEnd()
    guard try terminal.waitForExit() == 0 else { throw TestKitError(terminal.screen) }
    return terminal.screen
  }
}
