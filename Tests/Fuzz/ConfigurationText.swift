import SignetBytes
import SignetConfiguration

extension FuzzTarget {
  /// signet.conf.
  ///
  /// What is read can be written as `signet check-config` shows it, and is read as the same again; a comment behind it
  /// changes nothing, a line that says nothing known is refused wherever the text ends, nothing is set twice, and a refusal
  /// names a line that is there, in plain words.
  static let configuration = FuzzTarget(
    name: "configuration", longest: 2048,
    seeds: { (lines + [good.joined(separator: "\n")]).map { Array($0.utf8) } },
    run: { bytes in
      let bytes = Array(copying: bytes)
      do throws(InvalidConfiguration) {
        requireSettled(try ConfigurationFile(parsing: bytes, path: path), bytes)
      } catch {
        requireNamesLines(error, bytes)
      }
    })
}

private let path = "/etc/signet/signet.conf"

private let good = [
  "# a comment", "strikes = 5", "tries = 3 # three", "poor_scans=10", "passcode_after_boot = no",
  "passcode_after_inactivity = 48h", "passcode_after_age = off", "passcode_after_age_unless_finger_within = 4h",
  "passcode_after_lock = yes", "passcode_delays = 1min 5min 15min 60min", "lock_with_session = yes",
  "\treader_user = signet ", "passcode_service = signet-passcode", "passcode_confdir = /etc/pam.d",
  "virtual_reader = image:/run/reader", "virtual_reader = device:/run/another", "[service sudo]", "tries = 0",
  "[service login]", "poor_scans = 1",
]

private let lines =
  good + [
    "strikes = 0", "strikes = 999999999999999999999", "no_such_key = 1", "strikes", "= 5", "strikes = 5\r",
    "[service]", "[service a b]", "passcode_delays = 5min 1min", "passcode_after_inactivity = 1s",
  ]

private func read(_ bytes: [UInt8]) -> ConfigurationFile? { try? ConfigurationFile(parsing: bytes, path: path) }

private func requireSettled(_ file: ConfigurationFile, _ bytes: [UInt8]) {
  let configuration = file.configuration
  require(read(bytes) == file, "the same text is read as two things")
  require(
    read(bytes + Array("\n# more\n".utf8))?.configuration == configuration, "a comment changes what is read")
  require(read(bytes + Array("\nno_such_key = 1".utf8)) == nil, "an unknown key is let pass")
  require((1...100).contains(configuration.limits.strikes), "\(configuration.limits.strikes) strikes")
  require((0...100).contains(configuration.limits.missesPerEvaluation), "\(configuration.limits.missesPerEvaluation) tries")
  require((1...100).contains(configuration.limits.poorScansPerEvaluation), "\(configuration.limits) poor scans")
  for setting in file.settings where setting.line != nil && setting.key != "virtual_reader" {
    require(read(Array(line(setting).utf8) + bytes) == nil, "\(setting.key) is set twice")
  }

  let text = written(file)
  requirePlain(text.filter { $0 != "\n" && $0 != "\t" }, "a setting")
  require(read(Array(text.utf8))?.configuration == configuration, "what is shown is read as something else:\n\(text)")
}

private func line(_ setting: ConfigurationFile.Setting) -> String { "\(setting.key) = \(setting.value)\n" }

/// The settings as they would stand in a file.
private func written(_ file: ConfigurationFile) -> String {
  let settings = file.settings.filter { !$0.value.isEmpty }.map(line).joined()
  return file.sections.reduce(settings) { $0 + "[service \($1.service)]\n" + $1.settings.map(line).joined() }
}

private func requireNamesLines(_ invalid: InvalidConfiguration, _ bytes: [UInt8]) {
  require(!invalid.problems.isEmpty, "refused without a reason")
  let count = bytes.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  for problem in invalid.problems {
    guard let line = problem.line else { fail("a problem names no line: \(problem.message)") }
    require((1...count).contains(line), "a problem in line \(line) of \(count): \(problem.message)")
  }
  // A line may have tabs, and is quoted as it is.
  for line in invalid.lines { requirePlain(line.filter { $0 != "\t" }, "a problem") }
}
