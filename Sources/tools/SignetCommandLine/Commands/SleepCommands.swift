import ArgumentParser
import SignetLanguage
import SignetWire

// For signet-sleep.service alone, so no help lists them.

struct SuspendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suspend", abstract: say("Tell signetd that the machine is about to sleep. Root only."), shouldDisplay: false)

  @OptionGroup var helper: HelperOptions

  func run() throws { try Dialogue.follow(AdministrationRequest.suspend, at: helper.socket) }
}

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: say("Tell signetd that the machine is awake again. Root only."), shouldDisplay: false)

  @OptionGroup var helper: HelperOptions

  func run() throws { try Dialogue.follow(AdministrationRequest.resume, at: helper.socket) }
}
