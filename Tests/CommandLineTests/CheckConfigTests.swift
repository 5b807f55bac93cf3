import Glibc
import SignetConfiguration
import SignetTestKit
import Testing

/// What `signet check-config` says of a file, and that signetd is of the same opinion.
@Suite struct CheckConfigTests {
  private let folder: TemporaryFolder
  private let stacks = PAMFolder()
  private var path: String { folder.path + "/signet.conf" }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw TestKitError("\(path): \(errno)") }
    close(file)
  }

  private func check(_ text: String, _ words: String...) throws -> Signet {
    try write(text)
    return try Signet.run(["check-config", "--file", path] + words)
  }

  @Test func `what is in force is told in words, with the line or as a default`() throws {
    let run = try check("# mine\nstrikes = 4\n[service sudo]\ntries = 0\n")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "# \(path) has no errors. In force:")
    #expect(
      lines.contains {
        $0.hasPrefix("strikes = 4 ")
          && $0.hasSuffix("  # line 2: 4 misses in a row, over all programs, lock a user's fingerprints")
      })
    #expect(
      lines.contains {
        $0.hasPrefix("passcode_after_inactivity = 48h ")
          && $0.hasSuffix("  # default: the passcode is required after 48h without an unlock")
      })
    #expect(lines.suffix(2).first == "[service sudo]")
    #expect(lines.last?.hasSuffix("  # line 4: no finger is asked for, the passcode at once") == true)
    for key in Key.all { #expect(lines.contains { $0.contains(key.name) }, "\(key.name)") }
  }

  private func policy(_ service: String, _ words: String...) throws -> Signet {
    try Signet.run(["policy", service, "--file", path, "--confdir", stacks.path] + words)
  }

  @Test func `of a service it is told what holds, and which line says so`() throws {
    try write("prompt = finger_first\n[service sudo]\ntries = 1\n")
    for service in ["sudo", "swaylock"] {
      try stacks.write(service, "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    }
    let run = try policy("sudo")
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "[service sudo]")
    #expect(lines.contains { $0.hasPrefix("tries = 1 ") && $0.contains("# \(path):3: ") })
    #expect(lines.contains { $0.hasPrefix("prompt = finger_first ") && $0.contains("# \(path):1: ") })
    #expect(lines.contains { $0.hasPrefix("allow = finger_or_passcode ") && $0.contains("# default: ") })
    #expect(lines.last == "# authtok_services, default: this service gets no login secret")
    let locker = try policy("Swaylock").output
    #expect(locker.contains("prompt = passcode_first") && locker.contains("# default of this service: "))
    let json = try policy("sudo", "--json").output
    #expect(json.contains("\"service\" : \"sudo\"") && json.contains("\"asksSignet\" : true"))
    #expect(try policy("../etc/passwd").status == 2)
  }

  @Test func `of a service that does not ask Signet that is told, and what changes it`() throws {
    try write("")
    try stacks.write("sudo", "@include common-auth\n")
    try stacks.write("common-auth", "auth required pam_unix.so\n")
    let line = "# No login asks Signet yet. Switch it on: sudo pam-auth-update --enable signet\n"
    #expect(try policy("sudo").output.hasSuffix("\n" + line))
    #expect(try policy("sudo", "--json").output.contains("\"asksSignet\" : false"))
    // By its own stack signetd checks passcodes, and nobody logs in.
    try stacks.write("signet-passcode", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    #expect(try policy("sudo").output.hasSuffix("\n" + line))
    try stacks.write("login", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    let other = try policy("sudo").output
    #expect(other.hasSuffix("\n# This service does not ask Signet: no pam_signet.so is in its PAM stack.\n"))
    #expect(try !policy("login").output.contains("does not ask"))
    try stacks.write("common-auth", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    #expect(try !policy("sudo").output.contains("Signet"))
    // Signet's own program on the bus, which is behind no file.
    #expect(try policy("fprint").status == 0)
  }

  @Test func `a desktop's service that has no file is what other is`() throws {
    try write("")
    #expect(try policy("kde").status == 1)
    try stacks.write("other", "auth required pam_unix.so\n")
    let line = "# No login asks Signet yet. Switch it on: sudo pam-auth-update --enable signet\n"
    #expect(try policy("kde").output.hasSuffix("\n" + line))
    try stacks.write("other", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    #expect(try !policy("kde").output.contains("ask Signet"))
    #expect(try policy("nosuchservice").status != 0)
  }

  @Test(arguments: [("nosuchservice", ""), ("sduo", " Did you mean sudo?"), ("sud", " Did you mean sudo?")])
  func `that there is no such service is told`(name: String, near: String) throws {
    try write("")
    try stacks.write("sudo", "auth required pam_unix.so\n")
    for words in [[], ["--json"]] {
      let run = try Signet.run(["policy", name, "--file", path, "--confdir", stacks.path] + words)
      #expect(run.status == 1 && run.output.isEmpty)
      let reason = "there is no PAM service \(name), for lack of a file of that name in \(stacks.path)."
      #expect(run.errors == "signet: \(reason)\(near)\n")
    }
  }

  @Test func `what it prints is a configuration that means the same`() throws {
    let text =
      "tries = 2\npasscode_delays = off\npasscode_after_boot = no\nvirtual_reader = image:/x\n[service su]\npoor_scans = 1\n"
    let printed = try check(text).output
    let before = try ConfigurationFile(parsing: Array(text.utf8), path: "").configuration
    #expect(try ConfigurationFile(parsing: Array(printed.utf8), path: "").configuration == before)
  }

  @Test func `all errors are told with file and line, and none of it is in force`() throws {
    let run = try check("strikes = 0\nstrikse = 5\n\n[sudo]\n")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[0] == "\(path):1: `strikes`: expected a number from 1 to 100, found `0`")
    #expect(lines[1].hasPrefix("\(path):2: unknown key `strikse`; did you mean `strikes`?"))
    #expect(lines[2] == "\(path):4: unknown section `[sudo]`; expected `[service NAME]`")
    #expect(lines[3].hasPrefix("signet: signetd does not start with this configuration."))
  }

  @Test func `of what a file beside it sets, check-config and policy name that file and its line`() throws {
    mkdir(path + ".d", 0o755)
    let beside = path + ".d/20-site.conf"
    try RawFile.create(beside, Array("# the site's\nstrikes = 6\n[service sudo]\ntries = 2\n".utf8))
    let run = try check("strikes = 4\n")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("# \(path), \(beside) have no errors. In force:\n"))
    #expect(run.output.contains("  # 20-site.conf:2: 6 misses in a row"))
    let policy = try Signet.run(["policy", "sudo", "--file", path])
    #expect(policy.output.contains("  # \(beside):4: after 2 misses"))
    let text = try check("strikes = 4\n", "--json").output.filter { !$0.isWhitespace }
    #expect(text.contains("\"dropIns\":[\"\(beside)\"]"))
    #expect(text.contains("{\"file\":\"\(beside)\",\"isDefault\":false,\"key\":\"strikes\",\"line\":2,"))
  }

  @Test func `in JSON every setting says where it is from`() throws {
    let run = try check("strikes = 4\n[service sudo]\ntries = 1\n", "--json")
    #expect(run.status == 0)
    let text = run.output.filter { !$0.isWhitespace }
    #expect(text.contains("\"valid\":true"))
    #expect(text.contains("\"errors\":[]"))
    #expect(text.contains("\"exists\":true"))
    #expect(text.contains("signet.conf\",\"isDefault\":false,\"key\":\"strikes\",\"line\":1,\"meaning\":\"4misses"))
    #expect(text.contains("{\"isDefault\":true,\"key\":\"tries\",\"meaning\":\"after3misses"))
    #expect(
      text.contains(
        "\"key\":\"tries\",\"line\":3,\"meaning\":\"after1missinoneattemptthepasscodeisaskedfor\",\"service\":\"sudo\",\"value\":\"1\"}"
      ))
  }

  @Test func `in JSON errors have their lines`() throws {
    let run = try check("bogus\n", "--json")
    #expect(run.status == 1)
    let text = run.output.filter { !$0.isWhitespace }
    #expect(text.contains("\"valid\":false"))
    #expect(text.contains("signet.conf\",\"line\":1,\"message\":\"expected`key=value`,found`bogus`\"}]"))
    #expect(text.contains("\"settings\":[]"))
  }

  @Test func `a file that was named must be there`() throws {
    let run = try Signet.run(["check-config", "--file", path])
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("\(path): there is no such file\nsignet: the file was not checked."))
  }

  @Test func `a file that cannot be read says so`() throws {
    // Not even by root: a link to itself.
    #expect(symlink(path, path) == 0)
    let run = try Signet.run(["check-config", "--file", path])
    #expect(run.status == 1)
    #expect(run.errors.contains("open \(path): Too many levels of symbolic links"), "\(run.errors)")
  }

  @Test func `what is found in the file does not reach the terminal as a command`() throws {
    let run = try check("strikes = \u{1B}[31m5\n")
    #expect(run.status == 1)
    #expect(!run.errors.contains("\u{1B}"))
  }

  @Test(arguments: ["strikes = 0", "bogus = 1", "[sudo]", "tries = 3\ntries = 3", "passcode_after_age = 0h", "strikes = 5\0"])
  func `signetd does not start with what is refused here, and says the same`(text: String) throws {
    let told = try check("# first\n\(text)\n").errors.split(separator: "\n").first.map(String.init)
    let errors = try Pipe()
    let signetd = try Program(
      [
        ReaderChannel.program("signetd"), "--config", path, "--socket", folder.path + "/socket", "--state-dir",
        folder.path + "/state", "--runtime-dir", folder.path + "/run",
      ], descriptors: [2: errors.writing])
    errors.closeWriting()
    let log = try errors.readToEnd()
    #expect(try signetd.waitForExit() == 1)
    // The log has no quotation marks of a kind that could end a field.
    #expect(log.contains("cannot start: \(try #require(told))"))
    #expect(access(folder.path + "/socket", F_OK) != 0)
  }
}
