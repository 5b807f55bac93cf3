import CPAM
@testable import SignetStackCheck
import SignetTestKit
import SignetWire
import Testing

/// What the account stack says, and what that comes to.
@Suite struct AccountTests {
  private let process: PasscodeProcess
  init() throws { process = try PasscodeProcess() }

  private func outcome(_ lines: String...) throws -> PasscodeAnswer.Outcome? {
    try process.write("signet-passcode", lines.map { $0 + "\n" }.joined())
    return try process.judge()?.outcome
  }

  private func outcome(steps: String) throws -> PasscodeAnswer.Outcome? {
    try outcome("account required \(try ScriptedModule.path.get()) \(steps)")
  }

  @Test func `a stack that lets the user in opens the account, whatever its other lines are`() throws {
    #expect(try outcome("auth required pam_deny.so", "account required pam_permit.so") == .accountOpen)
    #expect(try outcome("auth required pam_permit.so", "account required pam_deny.so") == .accountClosed)
  }

  @Test(arguments: ReturnName.allCases) func `no other return code opens it`(name: ReturnName) throws {
    let outcome = try outcome("account required pam_debug.so acct=\(name.rawValue)")
    switch name.rawValue {
    case "success": #expect(outcome == .accountOpen)
    case "new_authtok_reqd": #expect(outcome == .passcodeExpired)
    // libpam makes `PAM_PERM_DENIED` of a stack that nobody has judged.
    case "authtok_expired", "ignore": #expect(outcome == .accountClosed)
    default: #expect(outcome == (name.isRefusal ? .accountClosed : .accountUnknown))
    }
  }

  @Test func `without account lines the service other decides, and without that nothing opens`() throws {
    #expect(try outcome("auth required pam_permit.so") == .accountClosed)
    try process.write("other", "account required pam_permit.so\n")
    #expect(try outcome("auth required pam_permit.so") == .accountOpen)
  }

  @Test func `a service or a module that is not there says nothing`() throws {
    #expect(try process.judge(service: "missing")?.outcome == .accountUnknown)
    #expect(try outcome("account required /nonexistent/pam_module.so") == .accountUnknown)
    // What libpam makes of a line that it does not understand.
    #expect(try outcome("account bogus") == .accountClosed)
  }

  @Test func `modules are asked silently, in a process without anything of signetd's`() throws {
    #expect(try outcome(steps: "silent no-environment descriptors confined info") == .accountOpen)
  }

  @Test(arguments: ["hidden", "hidden-whatever", "visible", "two-questions"])
  func `what a module asks gets no answer`(steps: String) throws {
    #expect(try outcome(steps: steps) == .accountUnknown)
  }

  @Test func `a module that puts another user in place opens nothing`() throws {
    #expect(try outcome(steps: "user=root") == .accountUnknown)
  }

  @Test func `a module that crashes opens nothing`() throws {
    #expect(try outcome(steps: "crash") == nil)
  }
}
