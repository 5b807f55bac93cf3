// SignetStackCheck proves two promises of an installed PAM stack, with the real libpam: nobody gets in without a credential,
// and whoever has no usable reader is asked for the passcode. It reads the service files, copies them with a stand-in in the
// place of each module, has `signet-stack` run the copy, and says which line is at fault. No real module runs, and nobody is
// asked anything.

import Glibc

/// The services of one folder, and what is wrong with them.
public struct StackCheck {
  /// The service by which signetd checks a passcode.
  public static let passcodeService = "signet-passcode"

  /// Services that desktops run beside another one, which asks for the passcode: where no finger can be had they fail, and shut nobody out.
  public static let servicesBesideOthers: Set = ["gdm-fingerprint", "kde-fingerprint", "cinnamon-fingerprint"]

  /// Where service files and what they include are looked for, as libpam does in /etc/pam.d.
  public let folder: String
  /// Where service files are looked for that are not in `folder`: libpam's second place, below /usr. Included files are only
  /// looked for in `folder`, as Debian's libpam does.
  public let vendorFolder: String?
  /// The program that runs a copied stack.
  let program: String

  public init(folder: String, vendorFolder: String? = nil, program: String) {
    self.folder = folder
    self.vendorFolder = vendorFolder
    self.program = program
  }

  private var reader: StackReader { StackReader(folder: folder, vendorFolder: vendorFolder) }

  /// The names of all services, and of what they include, sorted.
  public func names() throws(StackError) -> [String] {
    let own = try ServiceFolder.names(folder)
    guard let vendorFolder, let more = try? ServiceFolder.names(vendorFolder) else { return own }
    return Set(own + more).sorted()
  }

  /// The services whose own auth stack has pam_signet.so, sorted by name. Files that services include, such as Debian's
  /// common-auth, are left out: they are checked as a part of those services.
  public func servicesWithSignet() throws(StackError) -> [String] {
    var found: [String] = []
    var fragments: Set<String> = []
    for name in try names() where name.utf8.elementsEqual(name.lowercased().utf8) {
      do throws(StackError) {
        let stack = try reader.stack(of: name)
        guard stack.hasOwnAuth, stack.entries.contains(where: { $0.kind == .signet }) else { continue }
        fragments.formUnion(stack.fragments)
        found.append(name)
      } catch .tooLarge {
        // Whether it has pam_signet.so cannot be told, so it is checked, which reports the fault.
        found.append(name)
      } catch .unreadable(_, EINVAL) {
        // A folder or a device is no service.
      } catch .unreadable {
        found.append(name)
      } catch {}
    }
    return found.filter { !fragments.contains($0) }
  }

  /// The modules that a service's auth stack calls, by their files' names.
  public func modules(of service: String) throws(StackError) -> Set<String> {
    guard ServiceFolder.isName(service) else { throw .badName(service) }
    return Set(try reader.stack(of: service.lowercased()).entries.map(\.module.name))
  }

  /// Checks one service.
  public func check(_ service: String) throws(StackError) -> ServiceReport {
    guard ServiceFolder.isName(service) else { throw .badName(service) }
    // libpam makes service names lower case too.
    let service = service.lowercased()
    let stack: Stack
    do throws(StackError) { stack = try reader.stack(of: service) } catch .tooLarge(let file, let what) {
      var report = ServiceReport(service: service)
      report.faults = [.tooLarge(FileLocation(file: file, line: 1, text: ""), what)]
      return report
    } catch .noService(let file) where service == StackCheck.passcodeService {
      var report = ServiceReport(service: service)
      report.faults = [.noPasscodeService(FileLocation(file: file, line: 1, text: ""))]
      return report
    }
    let copy = try PrivateCopy(of: stack)
    defer { copy.remove() }
    var prover = StackProver(stack: stack, trials: try Trials(program: program, folder: copy.path))
    return prover.report(on: service)
  }

  /// Checks services, and signetd's own passcode service where one of them needs it.
  public func check(_ services: [String]) throws(StackError) -> [ServiceReport] {
    var reports: [ServiceReport] = []
    for service in services { reports.append(try check(service)) }
    guard reports.contains(where: { $0.hasSignet }), !reports.contains(where: { $0.service == StackCheck.passcodeService }) else {
      return reports
    }
    return reports + [try check(StackCheck.passcodeService)]
  }
}

/// What was found about one service.
public struct ServiceReport: Equatable, Sendable {
  public var service: String
  public var faults: [Fault] = []
  public var remarks: [Remark] = []
  /// How many times libpam ran the stack.
  public var runs = 0
  /// Whether pam_signet.so is in its auth stack.
  public var hasSignet = false
}

/// Why a service could not be checked at all.
public enum StackError: Error, Equatable {
  /// No service can have this name.
  case badName(String)
  /// There is no such service file.
  case noService(String)
  case unreadable(file: String, cause: Int32)
  /// A file, or the lines that it leads to, are more than any sensible service has.
  case tooLarge(file: String, what: String)
  /// The private copy could not be written.
  case noCopy(cause: Int32)
  /// `signet-stack` could not be started, or does not answer.
  case noProgram(path: String, cause: Int32)
}
