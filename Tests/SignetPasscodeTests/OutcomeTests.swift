import CPAM
import Glibc
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
  func `a second question is refused, and the passcode that the first one got is not given back`(steps: String) throws {
    #expect(try outcome(steps) == .undecided)
  }

  /// Every value of `_pam_types.h`, and some that are none: only success after the question verifies.
  @Test(arguments: Array(Int32(1)...40) + [-1, 256, 65536, Int32.max])
  func `no other return code of a module is success`(code: Int32) throws {
    let outcome = try outcome("hidden return=\(code)")
    switch code {
    case PAM_AUTH_ERR, PAM_MAXTRIES: #expect(outcome == .wrong)
    case PAM_AUTHINFO_UNAVAIL: #expect(outcome == .unavailable)
    default: #expect(outcome == .undecided)
    }
  }

  @Test func `a module that puts another user in place is not believed`() throws {
    #expect(try outcome("hidden user=root") == .undecided)
  }

  @Test func `a refusal without a question is wrong, not unavailable`() throws {
    #expect(try outcome("return=\(PAM_AUTH_ERR)") == .wrong)
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
    #expect(try process.check()?.outcome == .wrong)
  }
}
