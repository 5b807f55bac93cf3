import CPAM
import Glibc
@testable import SignetStackCheck
import SignetTestKit
import SignetWire
import Testing

/// What the stack says, and what that proves.
@Suite struct OutcomeTests {
  private let process: PasscodeProcess
  init() throws { process = try PasscodeProcess() }

  private func outcome(_ steps: String, passcode: String = "right") throws -> PasscodeAnswer.Outcome? {
    try process.script(steps)
    return try process.check(passcode: passcode)?.outcome
  }

  @Test func `the right passcode to one hidden question is verified`() throws {
    try process.script("hidden")
    #expect(try process.check() == PasscodeAnswer(outcome: .verified, code: 0))
  }

  @Test(arguments: ["wrong", "", "right ", "Right", "righ", String(repeating: "x", count: 511)])
  func `another passcode is wrong`(passcode: String) throws {
    try process.script("hidden")
    #expect(try process.check(passcode: passcode) == PasscodeAnswer(outcome: .wrong, code: UInt32(PAM_AUTH_ERR)))
  }

  @Test func `a passcode with a zero byte is wrong whatever stands before it`() throws {
    try process.script("hidden")
    #expect(try process.check(passcode: "right\0rest")?.outcome == .wrong)
  }

  @Test func `a stack that says yes without asking proves nothing`() throws {
    #expect(try outcome("info") == .notSet)
  }

  @Test func `a stack that shows texts and asks once is verified`() throws {
    #expect(try outcome("info error hidden info") == .verified)
  }

  @Test func `a text and a question in one call are answered`() throws {
    #expect(try outcome("text-and-question") == .verified)
  }

  @Test(arguments: ["visible-whatever return=0", "visible", "visible-whatever hidden", "radio", "too-many"])
  func `a visible question and what is none are refused`(steps: String) throws {
    #expect(try outcome(steps) == .unavailable)
  }

  @Test(arguments: ["hidden hidden-whatever", "hidden visible-whatever return=0", "hidden visible-whatever", "two-questions"])
  func `whoever asks for more than the passcode does not get it twice, and tells nothing of it`(steps: String) throws {
    #expect(try outcome(steps) == .asksMore)
    #expect(try outcome(steps, passcode: "wrong") == (steps.hasPrefix("hidden ") ? .wrong : .asksMore))
  }

  /// As behind a pam_unix that is `required`: it goes on after a wrong passcode, and asks libpam for a delay.
  @Test(arguments: ["right", "wrong"])
  func `a stack that asks for more takes as long for a wrong passcode as for the right one`(passcode: String) throws {
    // Longer than this test waits for an answer.
    let module = try ScriptedModule.path.get()
    try process.write("signet-passcode", "auth required \(module) delay-if-wrong=300\nauth required \(module) hidden\n")
    let began = PAMHost.microseconds()
    #expect(try process.check(passcode: passcode)?.outcome == .asksMore)
    #expect(PAMHost.microseconds() - began >= 3_000_000)
  }

  /// Every value of `_pam_types.h`, and some that are none: only success after the question verifies.
  @Test(arguments: Array(Int32(1)...40) + [-1, 256, 65536, Int32.max])
  func `no other return code of a module is success`(code: Int32) throws {
    let outcome = try outcome("hidden return=\(code)")
    switch code {
    // libpam makes `PAM_PERM_DENIED` of a module that ends the stack by `PAM_IGNORE`, and of a code that it does not know.
    case ..<0, _PAM_RETURN_VALUES..., PAM_AUTH_ERR, PAM_MAXTRIES, PAM_PERM_DENIED, PAM_USER_UNKNOWN, PAM_CRED_INSUFFICIENT,
      PAM_CRED_ERR, PAM_ACCT_EXPIRED, PAM_IGNORE:
      #expect(outcome == .wrong)
    case PAM_AUTHINFO_UNAVAIL: #expect(outcome == .unavailable)
    default: #expect(outcome == .undecided)
    }
  }

  @Test(arguments: ReturnName.allCases)
  func `what check-pam calls a refusal is a wrong passcode, and nothing else is`(name: ReturnName) throws {
    let module = try ScriptedModule.path.get()
    try process.write("signet-passcode", "auth required \(module) hidden\nauth required pam_debug.so auth=\(name.rawValue)\n")
    #expect((try process.check()?.outcome == .wrong) == name.isRefusal)
  }

  @Test func `a module that puts another user in place is not believed`() throws {
    #expect(try outcome("hidden user=root") == .undecided)
  }

  @Test(arguments: [PAM_AUTH_ERR, PAM_PERM_DENIED, PAM_MAXTRIES, PAM_USER_UNKNOWN])
  func `who refuses without asking has judged no passcode`(code: Int32) throws {
    #expect(try outcome("return=\(code)") == .unavailable)
  }

  @Test func `a module that is not there is unavailable`() throws {
    try process.write("signet-passcode", "auth required /nonexistent/pam_module.so\n")
    #expect(try process.check()?.outcome == .unavailable)
  }

  @Test func `a line that libpam does not understand is unavailable`() throws {
    try process.write("signet-passcode", "auth bogus\n")
    #expect(try process.check()?.outcome == .unavailable)
  }

  @Test func `Debian's pam_permit and pam_deny prove nothing`() throws {
    try process.write("signet-passcode", "auth required pam_permit.so\n")
    #expect(try process.check()?.outcome == .notSet)
    try process.write("signet-passcode", "auth required pam_deny.so\n")
    #expect(try process.check()?.outcome == .unavailable)
  }
}
