import ArgumentParser
import SignetConfiguration
import SignetLanguage
import SignetMachine
import SignetStackCheck
import SignetWords

/// Which logins of this machine ask Signet, as PAM's files say it. None does before somebody has switched it on.
struct LoginStacks {
  static let system = "/etc/pam.d"
  static let vendor = "/usr/lib/pam.d"

  let check: StackCheck
  private let fprintd: FprintdModule

  init(folder: String = LoginStacks.system, machine: Machine = Machine()) {
    check = LoginStacks.check(folder)
    fprintd = FprintdModule(machine)
  }

  /// `program`: what runs the stacks, where more is asked than what is in them.
  static func check(_ folder: String, program: String = "") -> StackCheck {
    StackCheck(folder: folder, vendorFolder: folder == system ? vendor : nil, program: program)
  }

  /// The line that says that no login asks Signet, and what changes that; `nil` where one does, or where it cannot be told.
  var notice: String? { isAsked == false ? StackUseText.none : nil }

  /// Whether any login asks Signet; `nil` where it cannot be told.
  var isAsked: Bool? {
    guard let isSwitchedOn else { return nil }
    return isSwitchedOn || (fprintd.isSignets && !fprintd.files.isEmpty)
  }

  /// Whether a login takes a finger or the passcode; `nil` where it cannot be told. What signetd checks passcodes by is no login.
  private var isSwitchedOn: Bool? {
    (try? check.servicesWithSignet()).map { $0.contains { $0 != StackCheck.passcodeService } }
  }

  /// What a service that does not ask Signet is told of.
  var noticeOfOne: String { notice ?? (isSwitchedOn == false ? StackUseText.notThisYet : StackUseText.notThis) }

  /// The same of one service. Throws where there is no such service.
  func isAsked(by service: String) throws(CommandFailure) -> Bool? {
    do throws(StackError) {
      let modules = try modules(of: service)
      return modules.contains("pam_signet.so") || (fprintd.isSignets && modules.contains(FprintdModule.name))
    } catch {
      switch error {
      case .noService, .badName:
        throw CommandFailure(.refused, StackUseText.noService(service, in: folders, near: nearest(to: service)))
      default: return nil
      }
    }
  }

  /// Plasma's locker asks as `kde`, of which Debian 12 has no file: PAM takes that of `other` then.
  private func modules(of service: String) throws(StackError) -> Set<String> {
    do throws(StackError) { return try check.modules(of: service) } catch {
      guard case .noService = error, KnownService.isKnown(service) else { throw error }
      return try check.modules(of: "other")
    }
  }

  private var folders: [String] { [check.folder] + [check.vendorFolder].compactMap { $0 } }

  private func nearest(to service: String) -> String? {
    MistypedCommand.nearest(to: service, among: (try? check.names()) ?? [])
  }
}

/// Where the files are that say which logins ask Signet. With a signetd of its own, which no login asks, a command says nothing of them
/// where it is not told a folder: tests are.
struct LoginStackOptions: ParsableArguments {
  @Option(name: .customLong("confdir"), help: .hidden) var folder: String?

  func notice(at socket: String) -> String? {
    guard let folder = folder ?? (socket == HelperOptions.standardSocket ? LoginStacks.system : nil) else { return nil }
    return LoginStacks(folder: folder).notice
  }
}
