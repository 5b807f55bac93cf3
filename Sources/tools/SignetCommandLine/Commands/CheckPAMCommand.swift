import ArgumentParser
import Glibc
import SignetLanguage
import SignetStackCheck
import SignetWords

struct CheckPAMCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-pam",
    abstract: say("Prove that the PAM stack lets nobody in without a credential, and that no reader leads to the passcode."))

  @Argument(
    help: ArgumentHelp(say("Services to check; without any, all whose auth stack has pam_signet.so.")),
    completion: Completions.pamServices)
  var services: [String] = []
  @Option(name: .long, help: ArgumentHelp(say("The folder of the service files."), valueName: "dir"), completion: .directory)
  var confdir = LoginStacks.system
  @OptionGroup var output: OutputOptions

  func run() throws {
    let check = try CheckPAMCommand.check(confdir)
    let reports: [ServiceReport]
    do throws(StackError) {
      reports = try check.check(services.isEmpty ? check.servicesWithSignet() : services)
    } catch { throw CommandFailure(error) }
    if output.json { try Report.json(reports.map(StackRecord.init)) } else { StackText.write(reports, confdir) }
    guard reports.allSatisfy(\.faults.isEmpty) else { throw CommandFailure(.refused, "") }
  }

  /// Of the services as they are on this machine.
  static func systemCheck() throws(CommandFailure) -> StackCheck { try check(LoginStacks.system) }

  private static func check(_ confdir: String) throws(CommandFailure) -> StackCheck {
    LoginStacks.check(confdir, program: try program())
  }

  private static func program() throws(CommandFailure) -> String {
    if let program = CommandPath.program("signet-stack") { return program }
    throw CommandFailure(.refused, ObstacleText.notInstalled(besides: CommandPath.own))
  }
}

extension CommandFailure {
  init(_ error: StackError) {
    switch error {
    case .badName(let name): self.init(.usage, ObstacleText.badService(name))
    case .noService(let file): self.init(.usage, ObstacleText.noService(file))
    case .unreadable(let file, EACCES): self.init(.permissionDenied, ObstacleText.unreadableForUser(file, EACCES))
    case .unreadable(let file, let cause): self.init(.refused, ObstacleText.unreadable(file, cause))
    case .tooLarge(let file, let what): self.init(.refused, ObstacleText.tooLarge(file, has: what))
    case .noCopy(let cause): self.init(.refused, ObstacleText.noCopy(cause))
    case .noProgram(let path, let cause): self.init(.refused, ObstacleText.noProgram(path, cause))
    }
  }
}
