import Glibc
import SignetConfiguration
import SignetTestKit
import Testing

/// The manual says what the programs do, and groff has nothing to say about it.
@Suite struct ManualTests {
  private static let sources: String = {
    let folder = #filePath.dropLast("Tests/CommandLineTests/ManualTests.swift".count)
    return folder + "Sources/"
  }()

  private static func page(_ name: String) throws -> String { try RawFile.text(sources + name) }

  @Test(
    .enabled(if: access("/usr/bin/man", X_OK) == 0, "needs man(1) of man-db"),
    arguments: [
      "tools/signet/signet.1", "tools/signet/signet-auth.7", "signetd/signetd/signetd.8", "signetd/signetd/signet.conf.5",
      "login/pam_signet/pam_signet.8",
      "desktop/signet-prompt/signet-prompt.8", "tools/signet/signet-askpass.1", "tokens/signet-agent/signet-agent.1",
      "tools/signet/signet-credential.1", "tools/signet/signet-vault.1", "tools/signet/signet-key.1",
      "tools/signet/signet-json.5", "tools/signet/signet-fleet.7",
      "helpers/signet-fprint/signet-fprint.8", "helpers/signet-secrets/signet-secrets.8", "helpers/signet-hid/signet-hid.8",
      "helpers/signet-passkey/signet-passkey.8",
    ])
  func `a page is formatted without a warning`(name: String) throws {
    let errors = try Pipe()
    let formatted = try Pipe()
    let man = try Program(
      ["/usr/bin/man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", ManualTests.sources + name],
      environment: ["PATH=/usr/bin:/bin", "MANROFFSEQ=", "LC_ALL=C.UTF-8"],
      descriptors: [1: formatted.writing, 2: errors.writing])
    errors.closeWriting()
    formatted.closeWriting()
    #expect(try formatted.readToEnd().count > 1000)
    #expect(try errors.readToEnd() == "")
    #expect(try man.waitForExit() == 0)
  }

  @Test(arguments: [
    "enroll", "import", "list", "delete", "verify", "status", "readers", "lock", "reset", "token", "sessions",
    "check-config", "policy", "doctor", "history", "check-pam", "selftest", "vault add", "vault update", "vault get",
    "vault list", "vault delete", "vault revoke", "vault rename", "vault edit", "vault copy", "run", "vault export",
    "vault import", "vault recover", "vault reset", "key make", "key list", "key public", "key sign", "key agent", "key delete",
    "passkey list", "passkey show", "passkey rename", "passkey delete",
    "bind", "login", "unbind", "bindings",
  ])
  func `every option of a command is in its page`(command: String) throws {
    let isOfVault = command == "run" || command.hasPrefix("vault ")
    let name = isOfVault ? "signet-vault" : command.hasPrefix("key ") ? "signet-key" : "signet"
    let page = try ManualTests.page("tools/signet/\(name).1")
    #expect(page.contains(".It Cm \(command)"))
    let words = try Signet.run(command.split(separator: " ").map(String.init) + ["--help"]).output.split {
      " \n[]<>,|.".contains($0)
    }
    let options = Set(words.filter { $0.hasPrefix("--") })
    #expect(options.contains("--help"))
    for option in options where !ManualTests.common.contains(option) {
      #expect(page.contains("Fl -\(option.dropFirst(2))"), "\(option) of \(command)")
    }
    if options.contains("--json") {
      #expect(try ManualTests.page("tools/signet/signet-json.5").contains(".It Cm \(command)"), "\(command)")
    }
  }

  /// Described once for all commands.
  private static let common: Set<Substring> = ["--help", "--socket", "--version"]

  @Test func `the screens of the quick start are those of README's picture`() throws {
    let page = try ManualTests.page("tools/signet/signet.1")
    let start = try #require(page.split(separator: ".Sh QUICK START").last?.split(separator: ".Sh ").first)
    let screens = start.split(separator: ".Bd -literal -offset indent\n").dropFirst().map { $0.split(separator: ".Ed")[0] }
    #expect(screens.count == 3)
    let rows = try ManualTests.page("../Tests/Picture/terminal.svg").split(separator: "\n").filter { $0.hasPrefix("<text") }
    let picture = rows.map { $0.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" } }.joined(separator: "\n") + "\n"
    for screen in screens { #expect(picture.contains(screen), "\(screen)") }
  }

  @Test func `every option of signetd is in its page`() throws {
    let page = try ManualTests.page("signetd/signetd/signetd.8")
    let lines = try ManualTests.page("signetd/SignetDaemon/Start/Options.swift").split(separator: "\n")
    let cases = lines.compactMap { ManualTests.quoted($0) }
    #expect(cases.count >= 5)
    for option in cases { #expect(page.contains(".It Fl -\(option.dropFirst(2)) "), "\(option)") }
  }

  /// The keys that signet.conf(5) describes, with the default behind each; empty where it shows what the value stands for.
  private static func documentedKeys() throws -> [String: String] {
    let entries = try page("signetd/signetd/signet.conf.5").split(separator: "\n").filter {
      $0.contains(" No = ") && $0.hasPrefix(".It Cm ")
    }
    let pairs = entries.map { entry in
      let parts = entry.dropFirst(".It Cm ".count).split(separator: " No = ", maxSplits: 1).map(String.init)
      return (parts[0], parts[1].hasPrefix("Cm ") ? String(parts[1].dropFirst(3)) : "")
    }
    return try Dictionary(pairs) { _, _ in throw TestKitError("a key is described twice") }
  }

  @Test func `every key of signet.conf is in its page with its default, and no other`() throws {
    let defaults = try ConfigurationFile(parsing: [], path: "").settings.map { ($0.key, $0.value) }
    #expect(try ManualTests.documentedKeys() == Dictionary(uniqueKeysWithValues: defaults))
  }

  @Test func `what a key allows is in its page`() throws {
    let page = try ManualTests.page("signetd/signetd/signet.conf.5").replacing("\n", with: " ")
    for key in Key.all {
      let entry = try #require(page.split(separator: ".It Cm \(key.name) No").last?.split(separator: ".It").first)
      // "a number from 1 to 100" is "1 to 100" there.
      if let range = key.allowed.split(separator: "from ").dropFirst().first?.split(separator: ",").first {
        #expect(entry.contains(range), "\(key.name): \(range)")
      }
      #expect(entry.contains("May stand in a section.") == key.isForServices, "\(key.name)")
      #expect(entry.contains("May be given several times") == key.repeats, "\(key.name)")
    }
  }

  @Test func `the example of signet.conf is one`() throws {
    let page = try ManualTests.page("signetd/signetd/signet.conf.5")
    let example = try #require(page.split(separator: "-offset indent\n").dropFirst().first?.split(separator: ".Ed").first)
    let configuration = try ConfigurationFile(parsing: Array(example.utf8), path: "example").configuration
    #expect(configuration.limits.strikes == 3)
    #expect(configuration.limits(for: "su").missesPerEvaluation == 0)
    #expect(configuration.limits(for: "sudo").missesPerEvaluation == 1)
  }

  @Test(arguments: [
    "README.md", "Sources/README.md", "Sources/SECURITY.md", "Sources/tools/packaging/REVIEW.md", "Tests/README.md",
    "Tests/Desktops/README.md", "Tests/LockoutTests/README.md", "Tests/LoginTests/README.md",
  ])
  func `every link leads to a file`(name: String) throws {
    let page = try ManualTests.page("../\(name)")
    let folder = name.split(separator: "/").dropLast().joined(separator: "/")
    let links = page.split(separator: "](").dropFirst().map { $0.prefix { $0 != ")" } }
    for link in links where !link.hasPrefix("https:") {
      #expect(access("\(ManualTests.sources)../\(folder)/\(link)", F_OK) == 0, "\(link)")
    }
  }

  /// The word of a line like `case "word": …`.
  private static func quoted(_ line: Substring) -> Substring? {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count >= 3 && parts[0].allSatisfy({ $0 == " " || "case".contains($0) }) && parts[0].hasSuffix("case ")
      ? parts[1] : nil
  }
}
