import SignetConfiguration
import SignetWire

extension FuzzTarget {
  /// signet.conf.
  ///
  /// The same text means the same twice, a comment behind it changes nothing, a line that says nothing known is refused
  /// wherever the text ends, and a refusal names a line that is there.
  static let configuration = FuzzTarget(
    name: "configuration", longest: 2048,
    seeds: { (lines + [lines.joined(separator: "\n")]).map { Array($0.utf8) } },
    run: { bytes in
      let text = Array(copying: bytes)
      do throws(InvalidConfiguration) {
        requireSettled(try ConfigurationFile(parsing: text, path: path), text)
      } catch {
        for line in error.lines { requireNamesLine(line, text) }
      }
    })
}

private let path = "/etc/signet/signet.conf"

private let lines = [
  "# a comment", "strikes = 5", "tries = 3 # three", "poor_scans=10", "\treader_user = signet \t",
  "passcode_service = signet-passcode", "passcode_confdir = /etc/pam.d", "virtual_reader = image:/run/reader",
  "passcode_after_boot = no", "passcode_after_inactivity = 90min", "passcode_after_age = off",
  "passcode_after_age_unless_finger_within = 30s", "passcode_delays = 1min 5min 1h", "lock_with_session = yes",
  "[service sudo]", "tries = 0", "poor_scans = 2", "[service login]",
  "strikes = 0", "strikes = 999999999999999999999", "passcode_delays = 5min 1min", "no_such_key = 1", "strikes", "= 5",
]

private func requireSettled(_ file: ConfigurationFile, _ text: [UInt8]) {
  let configuration = file.configuration
  func parsed(_ more: String) -> Configuration? {
    try? ConfigurationFile(parsing: text + Array(more.utf8), path: path).configuration
  }
  require(parsed("") == configuration, "the same text is read twice as two things")
  require(parsed("\n# more\n") == configuration, "a comment changes what is read")
  require(parsed("\nno_such_key = 1") == nil, "an unknown key is let pass")
  require(written(file) == configuration, "what is in force, written down, is read as something else")
  require((1...100).contains(configuration.limits.strikes), "\(configuration.limits.strikes) strikes")
  for service in [""] + Array(configuration.services.keys) {
    let limits = configuration.limits(for: service)
    require((0...100).contains(limits.missesPerEvaluation), "\(limits.missesPerEvaluation) misses")
    require((1...100).contains(limits.poorScansPerEvaluation), "\(limits.poorScansPerEvaluation) poor scans")
  }
}

/// The settings as a file of their own, read again.
private func written(_ file: ConfigurationFile) -> Configuration? {
  func line(_ setting: ConfigurationFile.Setting) -> String {
    setting.value.isEmpty ? "" : "\(setting.key) = \(setting.value)\n"
  }
  var text = file.settings.map(line).joined()
  for section in file.sections { text += "[service \(section.service)]\n" + section.settings.map(line).joined() }
  return try? ConfigurationFile(parsing: Array(text.utf8), path: path).configuration
}

private func requireNamesLine(_ problem: String, _ text: [UInt8]) {
  guard problem.hasPrefix(path + ":"), let line = Int(problem.dropFirst(path.count + 1).prefix { $0 != ":" }) else {
    fail("a problem names no line: \(problem)")
  }
  let count = text.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  require((1...count).contains(line), "a problem in line \(line) of \(count): \(problem)")
}
