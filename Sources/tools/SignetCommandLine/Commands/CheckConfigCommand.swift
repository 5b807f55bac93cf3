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
    let sections = file.sections.flatMap { ["", "[service \($0.service)]"] + $0.settings.map { line($0, file) } }
    return ["# " + title(file)] + file.settings.map { line($0, file) } + sections
  }

  private static func title(_ file: ConfigurationFile) -> String {
    let path = Printable.text(file.path)
    let files = (file.exists ? [path] : []) + file.dropIns.map(Printable.text)
    switch files.count {
    case 0: return say("There is no \(path): everything is at its default.")
    case 1: return say("\(files[0]) has no errors. In force:")
    default: return say("\(files.joined(separator: ", ")) have no errors. In force:")
    }
  }

  /// What to do about a file that is refused.
  static func advice(_ invalid: InvalidConfiguration) -> String {
    invalid.problems.contains { $0.line == nil }
      ? say("the file was not checked. Where root may read it and you may not, run this as root.")
      : say("signetd does not start with this configuration. The keys and values: man signet.conf")
  }

  private static func line(_ setting: ConfigurationFile.Setting, _ file: ConfigurationFile) -> String {
    let origin = origin(setting, file)
    if setting.value.isEmpty { return "# \(setting.key): \(origin), \(setting.words)" }
    let text = "\(setting.key) = \(setting.value)"
    return text.padded(to: 40) + "  # \(origin): \(setting.words)"
  }
}

extension ConfigurationWords {
  /// Of a drop-in its name is said: they are all in one folder.
  private static func origin(_ setting: ConfigurationFile.Setting, _ file: ConfigurationFile) -> String {
    guard let line = setting.line, let path = setting.file else { return say("default") }
    guard path != file.path, let name = path.split(separator: "/").last else { return say("line \(line)") }
    return "\(Printable.text(String(name))):\(line)"
  }
}

/// signet.conf as JSON has it; signet-json(5) names the keys.
struct ConfigurationRecord: Encodable {
  struct Problem: Encodable {
    var file: String
    var line: Int?
    var message: String
  }

  struct Setting: Encodable {
    var key: String
    var service: String?
    var value: String
    var isDefault: Bool
    var file: String?
    var line: Int?
    var meaning: String

    init(_ setting: ConfigurationFile.Setting) {
      (key, service, value) = (setting.key, setting.service, setting.value)
      (isDefault, file, line, meaning) = (setting.line == nil, setting.file, setting.line, setting.words)
    }
  }

  var file: String
  /// False where there is no such file.
  var exists: Bool?
  var dropIns: [String] = []
  var valid: Bool
  var errors: [Problem] = []
  var settings: [Setting] = []

  init(_ checked: ConfigurationFile) {
    (file, exists, dropIns, valid) = (checked.path, checked.exists, checked.dropIns, true)
    settings = (checked.settings + checked.sections.flatMap(\.settings)).map(Setting.init)
  }

  init(_ invalid: InvalidConfiguration) {
    (file, valid) = (invalid.path, false)
    errors = invalid.problems.map { Problem(file: $0.file, line: $0.line, message: $0.message) }
  }
}
