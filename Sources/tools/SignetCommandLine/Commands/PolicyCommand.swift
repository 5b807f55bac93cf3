import ArgumentParser
import SignetConfiguration
import SignetLanguage
import SignetWords

struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy", abstract: say("Say what holds for logins of a PAM service, and which line says so."),
    discussion: say("Reads signet.conf as signetd does when it starts, and needs neither signetd nor root. See signet.conf(5)."))

  @Argument(help: ArgumentHelp(say("The PAM service, such as sudo or login.")), completion: Completions.pamServices)
  var service: String
  @Option(name: .long, help: ArgumentHelp(say("The folder of the service files."), valueName: "dir"), completion: .directory)
  var confdir = LoginStacks.system
  @OptionGroup var file: ConfigurationFileOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard Configuration.isService(service.lowercased()) else {
      throw ValidationError(say("\(Printable.text(service)): no PAM service has this name."))
    }
  }

  func run() throws {
    let service = service.lowercased()
    let stacks = LoginStacks(folder: confdir)
    let isAsked = KnownService.isOfPAM(service) ? try stacks.isAsked(by: service) : true
    let checked = try file.read(json: output.json)
    if output.json { return try Report.json(PolicyRecord(service: service, checked, asksSignet: isAsked)) }
    for line in PolicyWords.lines(service, checked) { Report.configuration(line) }
    if isAsked == false { Report.configuration("# " + stacks.noticeOfOne) }
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
    if let line = setting.line { return "\(Printable.text(setting.file ?? file.path)):\(line)" }
    return setting.service == nil ? say("default") : say("default of this service")
  }
}

/// The same as JSON has it; signet-json(5) names the keys.
private struct PolicyRecord: Encodable {
  var service: String
  var file: String
  var settings: [ConfigurationRecord.Setting]
  var getsLoginSecret: Bool
  var asksSignet: Bool?

  init(service: String, _ checked: ConfigurationFile, asksSignet: Bool?) {
    self.asksSignet = asksSignet
    (self.service, file) = (service, checked.path)
    settings = checked.policy(of: service).map(ConfigurationRecord.Setting.init)
    getsLoginSecret = checked.configuration.releasesLoginSecret(to: service)
  }
}
