import ArgumentParser
import Glibc
import SignetMemory
import SignetVocabulary

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify an enrolled finger: exit status 0 if, and only if, it matches.",
    discussion: "A miss counts as a strike, as at a login. No passcode is asked.")

  @Option(name: .long, help: ArgumentHelp("How long to wait for a finger, 1 to 3600.", valueName: "seconds"))
  var timeout: UInt16 = 30
  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard (1...3600).contains(timeout) else { throw ValidationError("--timeout: give 1 to 3600 seconds.") }
  }

  func run() throws {
    let name = try user.user.isEmpty ? Account.callersName() : user.user
    var dialogue = try Dialogue(verifying: name, timeout: timeout, at: helper.socket)
    let verdict = try dialogue.verdict()
    if output.json { try Report.json(VerdictRecord(verdict)) }
    guard verdict == .success else { throw CommandFailure(ExitStatus(verdict), VerdictText.of(verdict)) }
    if !output.json { print("Verified.") }
  }
}

enum Account {
  static func callersName() throws(CommandFailure) -> String {
    guard let entry = unsafe getpwuid(getuid()), let name = unsafe entry.pointee.pw_name else {
      throw CommandFailure(.refused, "uid \(getuid()) has no account. Name the user: --user NAME")
    }
    return unsafe String(cString: name)
  }
}

/// What the user can do about a verdict that is not success.
enum VerdictText {
  static func of(_ verdict: Verdict) -> String {
    switch verdict {
    case .authenticationFailed: "not verified: the finger was not recognised."
    case .userCancel, .systemCancel, .appCancel, .userFallback: "not verified: cancelled."
    case .passcodeNotSet: "not verified: the account has no passcode. Set one with: passwd"
    case .biometryNotAvailable: "not verified: no reader is available. See: signet status"
    case .biometryNotEnrolled: "not verified: no finger is enrolled. Enroll one with: signet enroll"
    case .biometryLockout: "not verified: the fingerprints are locked. See: signet status"
    case .invalidContext: "not verified: signetd does not let you ask this. For another user, run it as root."
    default: "not verified: \(verdict.name)."
    }
  }
}
