import ArgumentParser
import SignetConfiguration
import SignetLanguage

struct CheckConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-config", abstract: say("Check signet.conf, and say what is in force."),
    discussion: say("Reads the file as signetd does when it starts, and needs neither signetd nor root. See signet.conf(5)."))

  @OptionGroup var file: ConfigurationFileOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let checked = try file.read(json: output.json)
    if output.json { return try Report.json(ConfigurationRecord(checked)) }
    for line in ConfigurationWords.lines(checked) { Report.configuration(line) }
  }
}

/// Which signet.conf is meant.
struct ConfigurationFileOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp(say("Another file than \(ConfigurationFile.defaultPath)."), valueName: "path"),
    completion: .file()
  )
  var file: String?

  func validate() throws {
    guard file?.isEmpty != true else { throw ValidationError(say("--file: name a file.")) }
  }

  /// Reads it; says what is wrong with it.
  func read(json: Bool) throws -> ConfigurationFile {
    do throws(InvalidConfiguration) {
      return try ConfigurationFile(path: file ?? ConfigurationFile.defaultPath, isOptional: file == nil)
    } catch {
      if json { try Report.json(ConfigurationRecord(error)) }
      for line in error.lines { Report.complain(Printable.text(line)) }
      throw CommandFailure(.refused, ConfigurationWords.advice(error))
    }
  }
}

/// What is in force, in lines that would be a signet.conf themselves: what a setting means is a comment behind it.
enum ConfigurationWords {
  static func lines(_ file: ConfigurationFile) -> [String] {
    let path = Printable.text(file.path)
    let title =
      file.exists ? say("\(path) has no errors. In force:") : say("There is no \(path): everything is at its default.")
    let sections = file.sections.flatMap { ["", "[service \($0.service)]"] + $0.settings.map(line) }
    return ["# " + title] + file.settings.map(line) + sections
  }

  /// What to do about a file that is refused.
  static func advice(_ invalid: InvalidConfiguration) -> String {
    invalid.problems.contains { $0.line == nil }
      ? say("the file was not checked. Where root may read it and you may not, run this as root.")
      : say("signetd does not start with this configuration. The keys and values: man signet.conf")
  }

  private static func line(_ setting: ConfigurationFile.Setting) -> String {
    let origin = setting.line.map { say("line \($0)") } ?? say("default")
    if setting.value.isEmpty { return "# \(setting.key): \(origin), \(setting.words)" }
    let text = "\(setting.key) = \(setting.value)"
    return text.padded(to: 40) + "  # \(origin): \(setting.words)"
  }
}

/// signet.conf as JSON has it; signet-json(5) names the keys.
struct ConfigurationRecord: Encodable {
  struct Problem: Encodable {
    var line: Int?
    var message: String
  }

  struct Setting: Encodable {
    var key: String
    var service: String?
    var value: String
    var isDefault: Bool
    var line: Int?
    var meaning: String

    init(_ setting: ConfigurationFile.Setting) {
      (key, service, value) = (setting.key, setting.service, setting.value)
      (isDefault, line, meaning) = (setting.line == nil, setting.line, setting.words)
    }
  }

  var file: String
  /// False where everything is at its default for lack of a file.
  var exists: Bool?
  var valid: Bool
  var errors: [Problem] = []
  var settings: [Setting] = []

  init(_ checked: ConfigurationFile) {
    (file, exists, valid) = (checked.path, checked.exists, true)
    settings = (checked.settings + checked.sections.flatMap(\.settings)).map(Setting.init)
  }

  init(_ invalid: InvalidConfiguration) {
    (file, valid) = (invalid.path, false)
    errors = invalid.problems.map { Problem(line: $0.line, message: $0.message) }
  }
}
