import Glibc
import Testing

/// PAM lets go before a file is removed, by Debian's own pam-auth-update in a private root.
@Suite(.enabled(if: geteuid() == 0, "needs root, as `make uninstall` does"))
struct `make uninstall` {
  let stack: ComposedStack

  init() throws { stack = try ComposedStack() }

  @Test func `takes the profile out of PAM, and may be said again`() throws {
    #expect(try stack.names("pam_signet.so"))
    for _ in 1...2 {
      let first = try stack.beforeUninstall()
      #expect(first.status == 0, "\(first.output)")
      #expect(try !stack.names("pam_signet.so"))
    }
  }

  @Test func `keeps the module while a stack that was edited by hand names it`() throws {
    let refused = try stack.beforeUninstall { $0.replacing("default=ignore", with: "default=bad") }
    #expect(refused.status == 1, "\(refused.output)")
    #expect(refused.output.contains("Nothing was removed"))
    #expect(refused.output.contains("root/etc/pam.d/common-auth\n"))
    #expect(try stack.names("pam_signet.so"))
    // As it says.
    let done = try stack.beforeUninstall { text in
      text.split(separator: "\n").filter { !$0.contains("pam_signet.so") }.joined(separator: "\n") + "\n"
    }
    #expect(!done.output.contains("common-auth\n"), "\(done.output)")
  }

  @Test func `goes on where a stack names the module in a comment only`() throws {
    _ = try stack.beforeUninstall()
    let done = try stack.beforeUninstall { "# once there was pam_signet.so here\n" + $0 }
    #expect(done.status == 0, "\(done.output)")
  }

  @Test(arguments: [("/run/signet/socket", 1), ("fprintd's own", 0)])
  func `keeps fprintd's module, too, where it is ours and a stack that was edited by hand names it`(
    module: String, status: Int32
  ) throws {
    try stack.install(fprintd: module)
    let end = try stack.beforeUninstall { "auth sufficient pam_fprintd.so\n" + $0 }
    #expect(end.status == status, "\(end.output)")
    #expect(end.output.contains("root/etc/pam.d/common-auth\n") == (status == 1), "\(end.output)")
  }
}
