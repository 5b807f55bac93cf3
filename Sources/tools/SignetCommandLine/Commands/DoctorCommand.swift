import ArgumentParser
import Glibc
import SignetClient
import SignetLanguage
import SignetMachine
import SignetStackCheck
import SignetVocabulary
import SignetWire

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: say("Look at everything that Signet needs on this machine, and say what mends it."),
    discussion: say("Exit status 1 where something failed. Root sees more. Nothing is changed."))

  @Option(
    name: .long,
    help: ArgumentHelp(
      say("Only this group: \(Finding.Group.allCases.map(\.rawValue).joined(separator: ", "))."), valueName: "group"),
    completion: .list(Finding.Group.allCases.map(\.rawValue)))
  var only: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard let only, Finding.Group(rawValue: only) == nil else { return }
    throw ValidationError(say("--only: there is no such group."))
  }

  func run() throws {
    let groups = only.flatMap(Finding.Group.init).map { [$0] } ?? Finding.Group.allCases
    let findings = groups.flatMap(findings)
    if output.json { try Report.json(findings.map(DoctorRecord.init)) } else { findings.forEach(DoctorCommand.show) }
    guard !findings.contains(where: { $0.level == .fail }) else { throw CommandFailure(.refused, "") }
  }

  private func findings(of group: Finding.Group) -> [Finding] {
    let machine = Machine()
    return switch group {
    case .readers: ReaderFindings(machine: machine, listing: readers()).all
    case .service: ServiceFindings(machine: machine).all
    case .pam: PAMFindings(machine: machine, reports: stacks()).all
    case .keys: KeyFindings(status: status(), sessions: sessions()).all
    case .kernel: KernelFindings(machine: machine).kernel
    case .tpm: StateFindings(machine).tpm
    case .state: StateFindings(machine).state
    case .clock: StateFindings(machine).clock
    case .configuration: StateFindings(machine).configuration
    }
  }

  private func readers() -> Result<Listing<ReaderDescription>, CommandFailure> {
    Result { () throws(CommandFailure) in try Listing<ReaderDescription>.readers(at: helper.socket) }
  }

  private func status() -> Result<UserStatus, CommandFailure> {
    Result { () throws(CommandFailure) in try Listing<AdministrationReply>.status(of: "", at: helper.socket) }
  }

  private func sessions() -> Int? {
    (try? Listing<SessionRow>.sessions(at: helper.socket).whole())?.count { $0.uid == getuid() }
  }

  private func stacks() -> Result<[ServiceReport], CommandFailure> {
    Result { () throws(CommandFailure) in
      let check = try CheckPAMCommand.systemCheck()
      do throws(StackError) { return try check.check(check.servicesWithSignet()) } catch { throw CommandFailure(error) }
    }
  }

  /// `ok    readers  …`, and below what is not ok the command that mends it.
  private static func show(_ finding: Finding) {
    let level = (Finding.Level.allCases.map(\.words.columns).max() ?? 0) + 2
    let group = (Finding.Group.allCases.map(\.words.columns).max() ?? 0) + 2
    Report.say(finding.level.words.padded(to: level) + finding.group.words.padded(to: group), finding.message)
    if !finding.mend.isEmpty { Report.say(String(repeating: " ", count: level + group), "-> " + finding.mend) }
  }
}
