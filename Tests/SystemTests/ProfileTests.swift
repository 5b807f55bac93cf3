import CPAM
import Testing

/// pam_debug's words for every answer that a module can give.
private let answers = [
  "success", "open_err", "symbol_err", "service_err", "system_err", "buf_err", "perm_denied", "auth_err",
  "cred_insufficient", "authinfo_unavail", "user_unknown", "maxtries", "new_authtok_reqd", "acct_expired", "session_err",
  "cred_unavail", "cred_expired", "cred_err", "no_module_data", "conv_err", "authtok_err", "authtok_recover_err",
  "authtok_lock_busy", "authtok_disable_aging", "try_again", "ignore", "abort", "authtok_expired", "module_unknown",
  "bad_item", "conv_again", "incomplete",
]
/// The answers that end the stack: the profile's own four, and the one at which libpam itself stops.
private let refusals: Set = ["auth_err", "maxtries", "abort", "conv_err", "incomplete"]

@Suite struct `the profile that pam-auth-update composes` {
  let stack: ComposedStack

  init() throws { stack = try ComposedStack() }

  @Test func `stands before the password and adds no way past it`() {
    let lines = stack.auth.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.isEmpty }
    #expect(lines.first?.contains("[success=2 ") == true)
    #expect(lines.first?.contains("pam_signet.so") == true)
    #expect(lines.count { $0.contains("pam_signet.so") } == 1)
    #expect(lines.contains { $0.contains("requisite") && $0.contains("pam_deny.so") })
  }

  @Test(arguments: answers) func `succeeds by the finger or by the password and by nothing else`(answer: String) throws {
    let wrongPassword = try stack.authenticate(signet: answer, unix: "auth_err")
    #expect((wrongPassword == PAM_SUCCESS) == (answer == "success"))

    let rightPassword = try stack.authenticate(signet: answer, unix: "success")
    #expect((rightPassword == PAM_SUCCESS) == !refusals.contains(answer))
  }

  @Test func `goes on to the password where the module is gone`() throws {
    #expect(try stack.authenticate(signet: nil, unix: "success") == PAM_SUCCESS)
    #expect(try stack.authenticate(signet: nil, unix: "auth_err") != PAM_SUCCESS)
    #expect(try stack.changePasscode(signet: nil, unix: "success") == PAM_SUCCESS)
    #expect(try stack.changePasscode(signet: nil, unix: "authtok_err") != PAM_SUCCESS)
  }

  @Test func `has the module in all sessions, because sudo's are not interactive`() {
    for session in [stack.session, stack.sessionNoninteractive] {
      let ours = session.split(separator: "\n").filter { $0.contains("pam_signet.so") }
      #expect(ours.count == 1 && ours[0].contains("optional"))
    }
  }

  @Test func `has the module behind what changes the password`() throws {
    let lines = stack.password.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.isEmpty }
    let ours = try #require(lines.firstIndex { $0.contains("pam_signet.so") })
    #expect(lines.count { $0.contains("pam_signet.so") } == 1 && lines[ours].contains("optional"))
    let change = try #require(lines.firstIndex { $0.contains("pam_unix.so") })
    let refusal = try #require(lines.firstIndex { $0.contains("pam_deny.so") })
    #expect(change < refusal && refusal < ours)
  }

  /// At `incomplete` libpam itself stops, and to `optional` the other is a success of its own; the module says neither.
  @Test(arguments: answers.filter { !["incomplete", "new_authtok_reqd"].contains($0) })
  func `leaves a change of the password to those who make it`(answer: String) throws {
    for change in ["authtok_err", "authtok_lock_busy", "try_again", "perm_denied", "ignore"] {
      #expect(try stack.changePasscode(signet: answer, unix: change) != PAM_SUCCESS, "\(change)")
    }
    #expect(try stack.changePasscode(signet: answer, unix: "success") == PAM_SUCCESS)
  }

  @Test func `leaves nothing behind when it is removed`() throws {
    #expect(!(try stack.authWithoutProfile().contains("pam_signet")))
  }
}
