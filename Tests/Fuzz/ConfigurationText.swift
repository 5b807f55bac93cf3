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
      guard let text = String(validating: Array(copying: bytes), as: UTF8.self) else { return }
      do throws(Configuration.Problem) {
        let configuration = try Configuration(parsing: text, path: path)
        try requireSettled(configuration, text)
      } catch {
        requireNamesLine(error.description, text)
      }
    })
}

private let path = "/etc/signet/signet.conf"

private let lines = [
  "# a comment", "strikes = 5", "misses_per_evaluation = 3 # three", "poor_scans=10", "\treader_user = signet \r",
  "passcode_service = signet-passcode", "passcode_confdir = /etc/pam.d", "virtual_reader = image:/run/reader",
  "strikes = 0", "strikes = 999999999999999999999", "no_such_key = 1", "strikes", "= 5",
]

private func requireSettled(_ configuration: Configuration, _ text: String) throws(Configuration.Problem) {
  require(try! Configuration(parsing: text, path: path) == configuration, "the same text is read twice as two things")
  require(try! Configuration(parsing: text + "\n# more\n", path: path) == configuration, "a comment changes what is read")
  require((try? Configuration(parsing: text + "\nno_such_key = 1", path: path)) == nil, "an unknown key is let pass")
  require((1...100).contains(configuration.limits.strikes), "\(configuration.limits.strikes) strikes")
  require((1...100).contains(configuration.limits.missesPerEvaluation), "\(configuration.limits.missesPerEvaluation) misses")
  require((1...100).contains(configuration.limits.poorScansPerEvaluation), "\(configuration.limits) poor scans")
}

private func requireNamesLine(_ problem: String, _ text: String) {
  guard problem.hasPrefix(path + ":"), let line = Int(problem.dropFirst(path.count + 1).prefix { $0 != ":" }) else {
    fail("a problem names no line: \(problem)")
  }
  let count = text.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  require((1...count).contains(line), "a problem in line \(line) of \(count): \(problem)")
}
