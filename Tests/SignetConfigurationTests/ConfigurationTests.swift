import SignetAuthentication
import SignetConfiguration
import Testing

/// What a file sets.
@Suite struct ConfigurationTests {
  private func configuration(_ text: String) throws -> Configuration {
    try ConfigurationFile(parsing: Array(text.utf8), path: "signet.conf").configuration
  }

  @Test(arguments: ["", "\n", "# nothing\n", " \t# nothing", "\n\n \n"])
  func `a file that sets nothing means Touch ID's rules and no virtual reader`(text: String) throws {
    let configuration = try configuration(text)
    #expect(configuration == Configuration())
    #expect(configuration.limits == LockoutLimits())
    #expect(configuration.rules == PasscodeRules())
    #expect(configuration.limits.strikes == 5)
    #expect(configuration.virtualReaders.isEmpty)
    #expect(configuration.readerUser == "signet")
    #expect(!configuration.locksWithSession)
    #expect(!configuration.keepsLoginSecret)
    #expect(configuration.vaultClosesWithSession)
    #expect(configuration.releasesLoginSecret(to: "gdm-password"))
    #expect(!configuration.releasesLoginSecret(to: "sudo"))
  }

  @Test(arguments: [("", 60), ("finger_timeout = 1s", 1), ("finger_timeout = 2min", 120), ("finger_timeout = 1h", 3600)])
  func `a finger is waited for as long as the file allows, and for a minute where it does not say`(
    text: String, seconds: UInt64
  ) throws {
    #expect(try configuration(text).fingerTimeout == seconds)
  }

  @Test func `a finger is asked for on every reader, or on those that the file names`() throws {
    #expect(try configuration("").usesReader("synaptics:0"))
    #expect(try configuration("readers = every").usesReader("synaptics:0"))
    let chosen = try configuration("readers = goodixmoc:0 elan:1")
    #expect(["goodixmoc:0", "goodixmoc:0#2", "elan:1"].allSatisfy(chosen.usesReader))
    #expect(!["synaptics:0", "elan:0", "elan:10", "goodixmoc:01"].contains(where: chosen.usesReader))
  }

  @Test(arguments: ["none", "goodix", "elan:0 elan:0", "every elan:0"])
  func `what is no reader's name is refused`(value: String) {
    #expect(throws: InvalidConfiguration.self) { try configuration("readers = \(value)") }
  }

  @Test(arguments: [("", LidRule.auto), ("lid = auto", .auto), ("lid = passcode", .passcode), ("lid = ignore", .ignore)])
  func `a closed lid covers what is known to be built in, unless the file says otherwise`(text: String, rule: LidRule) throws {
    #expect(try configuration(text).lid == rule)
  }

  @Test(arguments: ["yes", "off", "built-in", "Ignore", "auto ignore"])
  func `a lid that nobody has heard of is refused`(value: String) {
    #expect(throws: InvalidConfiguration.self) { try configuration("lid = \(value)") }
  }

  @Test(arguments: ["0", "8", "100", "512", "128M"])
  func `memory that is no power of two, or more or less than a guess may take, is refused`(value: String) throws {
    #expect(throws: InvalidConfiguration.self) { try configuration("vault_passcode_memory = \(value)") }
    #expect(try configuration("").vaultPasscodeMemory == 128)
  }

  @Test(arguments: ["0s", "3601s", "2h", "off", "60"])
  func `a time-out that is none, or longer than an hour, is refused`(value: String) {
    #expect(throws: InvalidConfiguration.self) { try configuration("finger_timeout = \(value)") }
  }

  @Test func `keys, values, comments and blanks are read`() throws {
    let configuration = try configuration(
      "# fingers\nstrikes = 4 # fewer\n\n\t virtual_reader=image:/run/x\nvirtual_reader =  device:/run/y:z\t\n tries\t=\t1")
    #expect(configuration.limits.strikes == 4)
    #expect(configuration.limits.missesPerEvaluation == 1)
    #expect(configuration.virtualReaders.map(\.kind) == ["image", "device"])
    #expect(configuration.virtualReaders.map(\.path) == ["/run/x", "/run/y:z"])
  }

  @Test func `every rule of the passcode can be set`() throws {
    let configuration = try configuration(
      """
      passcode_after_boot = no
      passcode_after_inactivity = 90min
      passcode_after_age = 30h
      passcode_after_age_unless_finger_within = 45s
      passcode_after_lock = no
      passcode_delays = 30s 1min 2h
      lock_with_session = yes
      release_authtok = yes
      authtok_services = login my-greeter
      vault_close_with_session = no
      vault_passcode_memory = 256
      passcode_service = my-passcode
      passcode_confdir = /etc/other
      reader_user = _reader
      """)
    var rules = PasscodeRules()
    (rules.afterBoot, rules.inactivity, rules.passcodeAge, rules.fingerprintAge) = (false, 5400, 108_000, 45)
    (rules.afterLock, rules.delays) = (false, [30, 60, 7200])
    #expect(configuration.rules == rules)
    #expect(configuration.locksWithSession)
    #expect(configuration.keepsLoginSecret)
    #expect(configuration.loginSecretServices == ["login", "my-greeter"])
    #expect(!configuration.vaultClosesWithSession)
    #expect(configuration.vaultPasscodeMemory == 256)
    #expect(configuration.passcodeService == "my-passcode")
    #expect(configuration.passcodeConfdir == "/etc/other")
    #expect(configuration.readerUser == "_reader")
  }

  @Test func `a finger opens the vault after a restart only where the file says so, and no time asks for the passcode`() throws {
    let untimed = "passcode_after_inactivity = off\npasscode_after_age = off\n"
    #expect(try configuration("").afterRestart == .off)
    #expect(try configuration(untimed).afterRestart == .off)
    #expect(try configuration("finger_after_restart = yes").afterRestart == .timed)
    #expect(try configuration("finger_after_restart = yes\npasscode_after_age = off").afterRestart == .timed)
    #expect(try configuration("finger_after_restart = yes\n" + untimed).afterRestart == .ready)
    #expect(try configuration("finger_after_restart = no\n" + untimed).afterRestart == .off)
  }

  @Test func `off turns a rule off`() throws {
    let rules = try configuration("passcode_after_inactivity = off\npasscode_after_age = off\npasscode_delays = off").rules
    #expect(rules.inactivity == nil)
    #expect(rules.passcodeAge == nil)
    #expect(rules.delays == [])
  }

  @Test func `a service has the global numbers but for those of its section`() throws {
    let configuration = try configuration(
      "tries = 4\npoor_scans = 7\n[service sudo]\ntries = 2\n[ service\tlogin ]\npoor_scans = 3\n[service su-l]\n")
    #expect(configuration.limits(for: "sudo").missesPerEvaluation == 2)
    #expect(configuration.limits(for: "sudo").poorScansPerEvaluation == 7)
    #expect(configuration.limits(for: "login").missesPerEvaluation == 4)
    #expect(configuration.limits(for: "login").poorScansPerEvaluation == 3)
    for other in ["su-l", "su", "sudo-i", "", "sud"] { #expect(configuration.limits(for: other) == configuration.limits) }
    #expect(configuration.limits(for: "sudo").strikes == 5)
  }

  @Test func `a service in capitals does not slip out of its section`() throws {
    #expect(try configuration("[service sudo]\ntries = 0").limits(for: "SuDo").missesPerEvaluation == 0)
  }

  @Test func `no tries are none, not as many as one likes`() throws {
    let configuration = try configuration("[service sudo]\ntries = 0\n")
    #expect(configuration.limits(for: "sudo").missesPerEvaluation == 0)
    var evaluation = Evaluation(uid: 1000, policy: .deviceOwnerAuthentication, limits: configuration.limits(for: "sudo"))
    let next = evaluation.begin(isLocked: false)
    #expect(next == .askPasscode(.readerUnavailable))
  }

  @Test func `what is in force, written down, is read as the same`() throws {
    let text = """
      strikes = 7
      passcode_after_inactivity = off
      passcode_after_age = 90s
      passcode_after_age_unless_finger_within = 0s
      passcode_delays = 1s 61s 1h
      passcode_confdir = /etc/pam.d
      virtual_reader = device:/run/a
      virtual_reader = image:/run/b
      [service sudo]
      tries = 0
      poor_scans = 1
      [service login]
      """
    let file = try ConfigurationFile(parsing: Array(text.utf8), path: "signet.conf")
    var written = file.settings.map { "\($0.key) = \($0.value)\n" }.joined()
    for section in file.sections {
      written += "[service \(section.service)]\n" + section.settings.map { "\($0.key) = \($0.value)\n" }.joined()
    }
    #expect(try configuration(written) == file.configuration)
    #expect(file.configuration != Configuration())
  }

  @Test func `every setting says where it is set, or that it is a default`() throws {
    let text = "\nstrikes = 5\nvirtual_reader = image:/a\n# x\nvirtual_reader = image:/b\n[service sudo]\n\ntries = 1\n"
    let file = try ConfigurationFile(parsing: Array(text.utf8), path: "signet.conf")
    let set = file.settings.filter { $0.line != nil }
    #expect(set.map(\.key) == ["strikes", "virtual_reader", "virtual_reader"])
    #expect(set.map(\.line) == [2, 3, 5])
    #expect(Set(file.settings.map(\.key)) == Set(Key.all.map(\.name)))
    #expect(file.sections.map(\.service) == ["sudo"])
    #expect(file.sections.first?.settings.map(\.line) == [8])
    for setting in file.settings { #expect(!setting.words.isEmpty, "\(setting.key)") }
  }

  @Test func `no key is in the table twice, and a section may have some of them`() {
    #expect(Set(Key.all.map(\.name)).count == Key.all.count)
    #expect(Key.all.filter(\.isForServices).map(\.name) == ["tries", "poor_scans", "allow", "prompt", "finger_timeout", "token"])
  }
}
