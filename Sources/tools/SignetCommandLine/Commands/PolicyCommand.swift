import ArgumentParser
import SignetConfiguration
import SignetLanguage

struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy", abstract: say("Say what holds for logins of a PAM service, and which line says so."),
    discussion: say("Reads signet.conf as signetd does when it starts, and needs neither signetd nor root. See signet.conf(5)."))

  @Argument(help: ArgumentHelp(say("The PAM service, such as sudo or login.")), completion: Completions.pamServices)
  var service: String
  @OptionGroup var file: ConfigurationFileOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard Configuration.isService(service.lowercased()) else {
      throw ValidationError(say("\(Printable.text(service)): no PAM service has this name."))
    }
  }

  func run() throws {
    let checked = try file.read(json: output.json)
    if output.json { return try Report.json(PolicyRecord(service: service.lowercased(), checked)) }
    for line in PolicyWords.lines(service.lowercased(), checked) { print(line) }
  }
}

/// What holds for a service, in lines that would be its section of signet.conf.
enum PolicyWords {
  static func lines(_ service: String, _ file: ConfigurationFile) -> [String] {
    let secret = file.releaseOfLoginSecret(to: service)
    return ["[service \(service)]"] + file.policy(of: service).map { line($0, file) }
      + ["# \(secret.key), \(origin(secret, file)): \(secret.words)"]
  }

  private static func line(_ setting: ConfigurationFile.Setting, _ file: ConfigurationFile) -> String {
    let text = "\(setting.key) = \(setting.value)"
    return text.padded(to: 28) + "  # \(origin(setting, file)): \(setting.words)"
  }

  private static func origin(_ setting: ConfigurationFile.Setting, _ file: ConfigurationFile) -> String {
    if let line = setting.line { return "\(Printable.text(file.path)):\(line)" }
    return setting.service == nil ? say("default") : say("default of this service")
  }
}

/// The same as JSON has it; signet(1) names the keys.
private struct PolicyRecord: Encodable {
  var service: String
  var file: String
  var settings: [ConfigurationRecord.Setting]
  var getsLoginSecret: Bool

  init(service: String, _ checked: ConfigurationFile) {
    (self.service, file) = (service, checked.path)
    settings = checked.policy(of: service).map(ConfigurationRecord.Setting.init)
    getsLoginSecret = checked.configuration.releasesLoginSecret(to: service)
  }
}
