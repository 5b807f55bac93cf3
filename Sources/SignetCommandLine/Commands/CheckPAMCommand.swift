import ArgumentParser
import Glibc
import SignetStackCheck
import SignetWords

struct CheckPAMCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-pam",
    abstract: "Prove that the PAM stack lets nobody in without a credential, and that no reader leads to the passcode.")

  private static let system = "/etc/pam.d"

  @Argument(help: "Services to check; without any, all whose auth stack has pam_signet.so.")
  var services: [String] = []
  @Option(name: .long, help: ArgumentHelp("The folder of the service files.", valueName: "dir"))
  var confdir = CheckPAMCommand.system
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
  static func systemCheck() throws(CommandFailure) -> StackCheck { try check(system) }

  private static func check(_ confdir: String) throws(CommandFailure) -> StackCheck {
    StackCheck(folder: confdir, vendorFolder: confdir == system ? "/usr/lib/pam.d" : nil, program: try program())
  }

  /// Installed beside the other programs; in a build folder all lie together.
  private static func program() throws(CommandFailure) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    for candidate in ["\(folder)/../libexec/signet/signet-stack", "\(folder)/signet-stack"]
    where unsafe access(candidate, X_OK) == 0 { return candidate }
    throw CommandFailure(.refused, ObstacleText.notInstalled(besides: path))
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
