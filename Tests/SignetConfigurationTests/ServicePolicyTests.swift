import Glibc
import SignetConfiguration
import SignetTestKit
import Testing

/// What holds for one PAM service, and which line says so.
@Suite struct ServicePolicyTests {
  private func file(_ text: String) throws -> ConfigurationFile {
    try ConfigurationFile(parsing: Array(text.utf8), path: "signet.conf")
  }

  private func told(_ file: ConfigurationFile, _ service: String, _ key: String) throws -> String {
    let setting = try #require(file.policy(of: service).first { $0.key == key })
    return "\(setting.value) \(setting.line.map { "line \($0)" } ?? (setting.service == nil ? "default" : "known"))"
  }

  @Test func `without a word a service takes finger or passcode in one prompt`() throws {
    let policy = try file("").configuration.policy(for: "sudo")
    #expect(policy.allows == .fingerOrPasscode && policy.prompt == .either)
    #expect(policy.fingerTimeout == 60 && policy.limits.missesPerEvaluation == 3)
  }

  @Test func `a section goes before a known service, and that before what holds for all`() throws {
    let file = try file("prompt = finger_first\n[service swaylock]\nprompt = either\n[service sudo]\nfinger_timeout = 5s\n")
    #expect(file.configuration.policy(for: "swaylock").prompt == .either)
    #expect(file.configuration.policy(for: "hyprlock").prompt == .passcodeFirst)
    #expect(file.configuration.policy(for: "login").prompt == .fingerFirst)
    #expect(file.configuration.policy(for: "SUDO").fingerTimeout == 5)
    #expect(try told(file, "swaylock", "prompt") == "either line 3")
    #expect(try told(file, "hyprlock", "prompt") == "passcode_first known")
    #expect(try told(file, "login", "prompt") == "finger_first line 1")
    #expect(try told(file, "login", "allow") == "finger_or_passcode default")
    #expect(try told(file, "sudo", "finger_timeout") == "5s line 5")
  }

  @Test(arguments: KnownService.all.flatMap(\.names)) func `a known service is one that a section can name`(name: String) {
    #expect(Configuration.isService(name))
  }

  @Test(arguments: KnownService.all.flatMap(\.names)) func `a known service says why it is asked in this order`(name: String)
    throws
  {
    let setting = try #require(file("").policy(of: name).first { $0.key == "prompt" })
    #expect(setting.words.contains(": "))
  }

  /// What a password service takes where the machine has these files.
  private func allowance(
    of service: String, _ files: [String: String], bus: String? = "net.reactivated.Fprint.service", _ text: String = ""
  ) throws -> Allowance {
    let folder = try makeTemporaryFolder("pam")
    defer { removeTree(folder) }
    for (name, text) in files { #expect(writeFile("\(folder)/\(name)", text)) }
    if let bus { #expect(writeFile("\(folder)/\(bus)", "")) }
    var configuration = try file(text).configuration
    configuration.fingerConversation.services = [folder]
    configuration.fingerConversation.names = [folder]
    return configuration.policy(for: service).allows
  }

  private func writeFile(_ path: String, _ text: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    return fputs(text, file) >= 0 && fclose(file) == 0
  }

  @Test(arguments: [("gdm-password", "gdm-fingerprint"), ("kde", "kde-fingerprint"), ("KDE", "kde-fingerprint")])
  func `where another service asks for the finger, the one beside it takes the passcode alone`(service: String, other: String)
    throws
  {
    for line in ["auth required pam_fprintd.so", "-auth\t[success=1 default=ignore] /usr/lib/security/pam_signet.so timeout=20"] {
      #expect(try allowance(of: service, [other: "#%PAM-1.0\nauth requisite pam_nologin.so\n\(line)\n"]) == .passcode)
    }
    let parts = ["fingerprint-auth": "auth sufficient pam_fprintd.so"]
    for include in [
      "@include fingerprint-auth", "auth substack fingerprint-auth", "auth include fingerprint-auth # pam_fprintd.so",
    ] {
      #expect(try allowance(of: service, parts.merging([other: include]) { $1 }) == .passcode)
    }
  }

  @Test(arguments: [
    [:], ["kde-fingerprint": "# auth required pam_fprintd.so"], ["kde-fingerprint": "password required pam_fprintd.so"],
    ["gdm-fingerprint": "auth required pam_fprintd.so"], ["kde-fingerprint": "auth include kde-fingerprint"],
    ["kde-fingerprint": "auth include ../kde-fingerprint"], ["kde-fingerprint": "auth required pam_fprintd.so.off"],
  ])
  func `where none does, a finger is taken here`(files: [String: String]) throws {
    #expect(try allowance(of: "kde", files) == .fingerOrPasscode)
  }

  @Test func `where nobody has fprintd's name on the bus the desktop asks for no finger there, and it is taken here`() throws {
    let files = ["kde-fingerprint": "auth required pam_fprintd.so"]
    #expect(try allowance(of: "kde", files, bus: nil) == .fingerOrPasscode)
    #expect(try allowance(of: "kde", files, bus: "org.freedesktop.UPower.service") == .fingerOrPasscode)
  }

  @Test func `a section goes before what the machine's files say`() throws {
    let files = ["kde-fingerprint": "auth required pam_fprintd.so"]
    #expect(try allowance(of: "kde", files, "[service kde]\nallow = finger_or_passcode\n") == .fingerOrPasscode)
    #expect(try allowance(of: "sudo", files) == .fingerOrPasscode)
  }

  @Test(arguments: ["sddm", "kde", "gdm-password", "xscreensaver"])
  func `a window that takes no passcode while a finger is waited for asks for it first`(name: String) throws {
    #expect(try file("").configuration.policy(for: name).prompt == .passcodeFirst)
  }

  @Test func `a locker that has the passcode already waits ten seconds for a finger, where nothing else is said`() throws {
    #expect(try file("").configuration.policy(for: "swaylock").fingerTimeout == 10)
    #expect(try file("[service swaylock]\nfinger_timeout = 20s\n").configuration.policy(for: "swaylock").fingerTimeout == 20)
  }

  @Test func `where only the passcode is allowed no finger is tried`() throws {
    let configuration = try file("[service su]\nallow = passcode\ntries = 5\n").configuration
    #expect(configuration.limits(for: "su").missesPerEvaluation == 0)
    #expect(configuration.limits(for: "sudo").missesPerEvaluation == 3)
  }

  @Test func `a service may go without a token`() throws {
    let file = try file("[service sshd]\ntoken = no\n")
    #expect(!file.configuration.policy(for: "sshd").getsToken && file.configuration.policy(for: "login").getsToken)
    #expect(try told(file, "sshd", "token") == "no line 2")
    #expect(try told(file, "login", "token") == "yes default")
  }

  @Test func `who gets the login secret is told with the line that says so`() throws {
    let file = try file("strikes = 4\nauthtok_services = login xdm\n")
    #expect(file.releaseOfLoginSecret(to: "LOGIN").value == "yes" && file.releaseOfLoginSecret(to: "sudo").value == "no")
    #expect(file.releaseOfLoginSecret(to: "sudo").line == 2)
    #expect(try self.file("").releaseOfLoginSecret(to: "gdm-password").line == nil)
  }
}
