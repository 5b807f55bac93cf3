import SignetConfiguration
import Testing

/// What a file must not say: each is an error that names the line, what was found and what is allowed.
@Suite struct RefusalTests {
  private static func problems(_ bytes: [UInt8]) -> [String] {
    do throws(InvalidConfiguration) {
      _ = try ConfigurationFile(parsing: bytes, path: "/etc/signet/signet.conf")
      return []
    } catch {
      return error.lines
    }
  }

  /// One line, the second of a file, and what must be said about it.
  struct Case: CustomTestStringConvertible {
    var line: String
    var message: String
    var testDescription: String { line.debugDescription }

    init(_ line: String, _ message: String) { (self.line, self.message) = (line, message) }
  }

  private static let number = "expected a number from 1 to 100"

  static let cases: [Case] = [
    Case("strikes = 0", "`strikes`: \(number), found `0`"),
    Case("strikes = -1", "`strikes`: \(number), found `-1`"),
    Case("strikes = +5", "`strikes`: \(number), found `+5`"),
    Case("strikes = 05", "`strikes`: \(number), found `05`"),
    Case("strikes = 5.0", "`strikes`: \(number), found `5.0`"),
    Case("strikes = 0x5", "`strikes`: \(number), found `0x5`"),
    Case("strikes = \u{0665}", "`strikes`: \(number), found `\u{0665}`"),
    Case("strikes = many", "`strikes`: \(number), found `many`"),
    Case("strikes = \"5\"", "`strikes`: \(number), found `\"5\"`"),
    Case("strikes = 101", "`strikes`: \(number), found `101`"),
    Case("strikes = 4294967301", "`strikes`: \(number), found `4294967301`"),
    Case("strikes = 99999999999999999999999", "`strikes`: \(number), found"),
    Case("strikes = 5 5", "`strikes`: \(number), found `5 5`"),
    Case("strikes = = 5", "`strikes`: \(number), found `= 5`"),
    Case("strikes =", "`strikes` has no value; \(number)"),
    Case("strikes = # 5", "`strikes` has no value; \(number)"),
    Case("strikes", "expected `key = value`, found `strikes`"),
    Case("strikes: 5", "expected `key = value`, found `strikes: 5`"),
    Case("= 5", "expected `key = value`, found `= 5`"),
    Case("tries = unlimited", "`tries`: expected a number from 0 to 100, found `unlimited`"),
    Case("tries = -1", "`tries`: expected a number from 0 to 100, found `-1`"),
    Case("poor_scans = 0", "`poor_scans`: \(number), found `0`"),
    Case("strikse = 5", "unknown key `strikse`; did you mean `strikes`? The keys are: strikes, tries, poor_scans, "),
    Case("Strikes = 5", "unknown key `Strikes`; did you mean `strikes`?"),
    Case("strike.limit = 5", "unknown key `strike.limit`. The keys are: "),
    Case("strikes\u{00A0}= 5", "unknown key `strikes\u{00A0}`; did you mean `strikes`?"),
    Case("passcode_after_boot = true", "`passcode_after_boot`: expected yes or no, found `true`"),
    Case("passcode_after_boot = YES", "`passcode_after_boot`: expected yes or no, found `YES`"),
    Case("lock_with_session = off", "`lock_with_session`: expected yes or no, found `off`"),
    Case("release_authtok = always", "`release_authtok`: expected yes or no, found `always`"),
    Case(
      "authtok_services = login sudo",
      "session, at most 32, none of them sudo, sudo-i, su, su-l, polkit-1, signet-passcode; or none"),
    Case("authtok_services = su", "; or none, found `su`"),
    Case("authtok_services = Login", "; or none, found `Login`"),
    Case("authtok_services = login, gdm-password", "; or none, found `login, gdm-password`"),
    Case("authtok_services = login login", "; or none, found `login login`"),
    Case("authtok_services = none login", "; or none, found `none login`"),
    Case("authtok_services =", "`authtok_services` has no value"),
    Case("passcode_after_inactivity = 48", "`passcode_after_inactivity`: expected a time such as 30s, 90min or 48h, from "),
    Case("passcode_after_inactivity = 48 h", "from 1min to 8784h, or off, found `48 h`"),
    Case("passcode_after_inactivity = 59s", "from 1min to 8784h, or off, found `59s`"),
    Case("passcode_after_inactivity = 0h", "or off, found `0h`"),
    Case("passcode_after_inactivity = h", "or off, found `h`"),
    Case("passcode_after_inactivity = 48H", "or off, found `48H`"),
    Case("passcode_after_inactivity = 2d", "or off, found `2d`"),
    Case("passcode_after_inactivity = never", "or off, found `never`"),
    Case("passcode_after_inactivity = 8785h", "or off, found `8785h`"),
    Case("passcode_after_inactivity = 5124095576030432h", "or off, found `5124095576030432h`"),
    Case("passcode_after_age = -1h", "or off, found `-1h`"),
    Case("passcode_after_age_unless_finger_within = off", "from 0s to 8784h, found `off`"),
    Case(
      "passcode_delays = 0s", "`passcode_delays`: expected at most 8 times such as 30s, 5min or 1h, from 1s to 24h, each longer"),
    Case("passcode_delays = 5min 5min", "each longer than the one before, or off, found `5min 5min`"),
    Case("passcode_delays = 5min 1min", "found `5min 1min`"),
    Case("passcode_delays = 1s 2s 3s 4s 5s 6s 7s 8s 9s", "found `1s 2s 3s 4s 5s 6s 7s 8s 9s`"),
    Case("passcode_delays = 1min off", "found `1min off`"),
    Case("passcode_delays = 1min, 5min", "found `1min, 5min`"),
    Case("passcode_delays = 25h", "found `25h`"),
    Case("passcode_service = ../other", "`passcode_service`: expected a PAM service: at most 64 of a-z"),
    Case("passcode_service = Signet", "found `Signet`"),
    Case(
      "passcode_confdir = etc/pam.d", "`passcode_confdir`: expected a directory's path, beginning with `/`, found `etc/pam.d`"),
    Case("reader_user = -root", "`reader_user`: expected a user name: at most 64 of A-Z"),
    Case("reader_user = a:b", "found `a:b`"),
    Case("virtual_reader = image", "`virtual_reader`: expected device:PATH, storage:PATH or image:PATH"),
    Case("virtual_reader = camera:/run/x", "found `camera:/run/x`"),
    Case("virtual_reader = image:run/x", "found `image:run/x`"),
    Case("virtual_reader = image:/\(String(repeating: "x", count: 107))", "at most 107 bytes, found `image:/xxx"),
    Case("[sudo]", "unknown section `[sudo]`; expected `[service NAME]`"),
    Case("[service]", "unknown section `[service]`; expected `[service NAME]`"),
    Case("[service sudo login]", "unknown section `[service sudo login]`; expected"),
    Case("[service sudo", "unknown section `[service sudo`; expected"),
    Case("[service sudo] tries = 2", "unknown section `[service sudo] tries = 2`; expected"),
    Case("[global]", "unknown section `[global]`; expected"),
    Case("[]", "unknown section `[]`; expected"),
    Case("[service Sudo]", "section `[service Sudo]`: expected a PAM service: at most 64 of a-z"),
    Case("[service ../x]", "section `[service ../x]`: expected a PAM service"),
    Case("[service *]", "section `[service *]`: expected a PAM service"),
    Case("strikes = 5\0", "the character U+0000 is not allowed"),
    Case("# \u{1B}[2J", "the character U+001B is not allowed"),
    Case("strikes = 5\r", "the character U+000D is not allowed; lines end with a line feed alone"),
    Case("# \u{202E}5 = sekirts", "the character U+202E is not allowed"),
    Case("\u{FEFF}strikes = 5", "the character U+FEFF is not allowed"),
    Case("str\u{200B}ikes = 5", "the character U+200B is not allowed"),
    Case("# \u{2028}strikes = 100", "the character U+2028 is not allowed"),
    Case("#" + String(repeating: "x", count: 1024), "the line has 1025 bytes; at most 1024 are allowed"),
  ]

  @Test(arguments: cases)
  func `a line that is none is an error with its number, what was found and what is allowed`(example: Case) throws {
    let problems = RefusalTests.problems(Array("# first\n\(example.line)\n# last\n".utf8))
    #expect(problems.count == 1)
    let problem = try #require(problems.first)
    #expect(problem.hasPrefix("/etc/signet/signet.conf:2: "))
    #expect(problem.contains(example.message))
  }

  @Test(
    arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80], [0x23, 0xE2, 0x82]] as [[UInt8]]
  )
  func `bytes that are not UTF-8 are an error with the line`(bytes: [UInt8]) {
    #expect(RefusalTests.problems([0x0A, 0x0A] + bytes + [0x0A]) == ["/etc/signet/signet.conf:3: the line is not UTF-8 text"])
  }

  @Test func `all errors are told at once, in the order of their lines`() {
    let text = "strikes = x\ntries = 2\nbogus = 1\n[service sudo]\nstrikes = 3\ntries = 1\ntries = 2\n"
    let problems = RefusalTests.problems(Array(text.utf8))
    #expect(problems.map { $0.dropFirst("/etc/signet/signet.conf:".count).first } == ["1", "3", "5", "7"])
  }

  @Test func `a key set twice is an error that names both lines`() {
    #expect(
      RefusalTests.problems(Array("tries = 3\nstrikes = 4\ntries = 3\n".utf8))
        == ["/etc/signet/signet.conf:3: `tries` is set already, at line 1"])
  }

  @Test func `a section that is there twice is an error, and what it holds is not a second one`() {
    let text = "[service sudo]\ntries = 3\n[service login]\ntries = 1\n[service sudo]\ntries = 9\nstrikes = 4\n"
    #expect(
      RefusalTests.problems(Array(text.utf8))
        == ["/etc/signet/signet.conf:5: section `[service sudo]` is there already, at line 1"])
  }

  @Test func `a key that holds for all services is not taken in a section`() {
    for key in Key.all where !key.isForServices {
      let problems = RefusalTests.problems(Array("[service sudo]\n\(key.name) = 5\n".utf8))
      #expect(problems.count == 1)
      #expect(problems.first?.contains(":2: `\(key.name)` holds for all services: set it above the first section") == true)
    }
  }

  @Test func `a file of nothing but errors does not cost more than one of settings`() {
    let text = String(repeating: "x\n", count: 30_000)
    #expect(RefusalTests.problems(Array(text.utf8)).count == 100)
  }

  @Test func `more than 64 KiB are refused unread`() {
    let blanks = [UInt8](repeating: 0x0A, count: ConfigurationFile.limit)
    #expect(RefusalTests.problems(blanks).isEmpty)
    #expect(RefusalTests.problems(blanks + [0x0A]) == ["/etc/signet/signet.conf: it has more than 65536 bytes"])
  }
}
