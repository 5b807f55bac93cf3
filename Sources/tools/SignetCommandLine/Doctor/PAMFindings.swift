import SignetLanguage
import SignetMachine
import SignetStackCheck

/// PAM: what `check-pam` says, and whether another module asks for a finger, too.
struct PAMFindings {
  let machine: Machine
  /// What `check-pam` found in the services that have Signet.
  let reports: Result<[ServiceReport], CommandFailure>

  var all: [Finding] { stacks + otherModules }

  private var stacks: [Finding] {
    switch reports {
    case .failure(let failure):
      return [.fail(.pam, say("the PAM stacks were not checked: \(failure.message)"), "signet check-pam")]
    case .success(let reports):
      guard !reports.isEmpty else {
        return [.warn(.pam, say("no PAM service uses Signet: no login takes a finger"), "pam-auth-update --enable signet")]
      }
      let faulty = reports.filter { !$0.faults.isEmpty }.map(\.service)
      guard !faulty.isEmpty else {
        return [
          .ok(
            .pam,
            say(
              reports.count, one: "check-pam finds no fault in \(reports.count) services",
              other: "check-pam finds no fault in \(reports.count) services"))
        ]
      }
      return [.fail(.pam, say("check-pam finds faults in \(faulty.joined(separator: ", "))"), "signet check-pam")]
    }
  }

  private var otherModules: [Finding] {
    let module = FprintdModule(machine)
    guard !module.isSignets else { return [] }
    let files = module.files
    guard !files.isEmpty else { return [] }
    return [
      .warn(
        .pam,
        say("pam_fprintd.so is in \(files.joined(separator: ", ")), too: both ask for a finger, and hold the reader in turn"),
        files.contains("common-auth") ? "pam-auth-update --disable fprintd" : "apt install signet-fprintd")
    ]
  }
}
