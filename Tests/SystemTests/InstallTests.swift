import Foundation
import Testing

@Suite(.enabled(if: Checkout.release != nil, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct `make install` {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
    let install = try make("install-files")
    #expect(install.status == 0, "\(install.output)")
  }

  @Test func `puts every part where the others look for it`() throws {
    let programs = [
      "signetd", "signet-reader", "signet-passcode", "signet-logind", "signet-stack", "signet-prompt", "signet-agent",
      "signet-fprint", "signet-secrets", "signet-hid", "signet-passkey",
    ]
    for program in programs {
      #expect(mode("usr/libexec/signet/\(program)") == 0o755)
    }
    #expect(mode("usr/bin/signet") == 0o755)
    #expect(mode("modules/pam_signet.so") == 0o644)
    let unit = try root.read("usr/lib/systemd/system/signetd.service")
    #expect(unit.contains("ExecStart=/usr/libexec/signet/signetd\n"))
    let rest =
      [
        "usr/lib/systemd/system/signetd.socket", "usr/lib/systemd/system/signet-sleep.service",
        "usr/lib/systemd/system/signet-logind.service", "usr/lib/systemd/system/signet-fprint.service",
        "usr/lib/systemd/user/signet-agent.socket",
        "usr/lib/systemd/user/signet-agent.service", "usr/lib/systemd/user/signet-secrets.service",
        "usr/lib/systemd/user/signet-ssh.service", "usr/lib/systemd/user/signet-ssh.socket",
        "usr/share/signet/secrets/dbus-1/services/org.freedesktop.secrets.service",
        "usr/lib/sysusers.d/signet.conf",
        "usr/lib/systemd/system/signet-hid.service", "usr/lib/systemd/system/signet-hid.socket",
        "usr/lib/udev/rules.d/72-signet-hid.rules", "usr/share/man/man8/signet-hid.8",
        "usr/lib/systemd/user/signet-passkey.service", "usr/share/man/man8/signet-passkey.8",
        "usr/lib/tmpfiles.d/signet.conf",
        "usr/lib/udev/rules.d/72-signet.rules", "usr/share/pam-configs/signet", "etc/pam.d/signet-passcode",
        "usr/share/man/man1/signet.1", "usr/share/man/man1/signet-key.1",
        "usr/share/man/man1/signet-vault.1", "usr/share/man/man5/signet-json.5",
        "usr/share/man/man5/signet.conf.5", "usr/share/man/man8/signetd.8",
        "usr/share/man/man8/pam_signet.8", "usr/share/man/man3/signet.3", "lib/libsignet.so.0.1.0", "lib/pkgconfig/signet.pc",
        "lib/pkcs11/signet-pkcs11.so",
        "lib/pkgconfig/signet-swift.pc", "lib/libsignet-swift.a", "lib/signet-swift/LocalAuthentication.swiftmodule",
        "lib/signet-swift/Security.swiftmodule", "lib/signet-swift/SignetCoreFoundation.swiftmodule",
        "usr/include/signet/signet.h", "usr/include/signet/module.modulemap",
        "usr/share/man/man1/signet-askpass.1", "usr/share/man/man7/signet-auth.7", "usr/share/man/man7/signet-fleet.7",
        "etc/apparmor.d/signetd", "etc/apparmor.d/signet-logind", "etc/apparmor.d/signet-fprint", "etc/apparmor.d/signet-hid",
        "usr/share/man/man8/signet-prompt.8",
        "usr/share/man/man8/signet-fprint.8", "usr/share/man/man8/signet-secrets.8",
        "usr/share/man/man1/signet-agent.1", "usr/share/man/man1/signet-credential.1",
        "usr/share/bash-completion/completions/signet", "usr/share/zsh/vendor-completions/_signet",
        "usr/share/fish/vendor_completions.d/signet.fish", "usr/share/doc/signet/examples/signet.conf",
        "usr/share/doc/signet/selinux/signet.te", "usr/share/doc/signet/selinux/signet.fc",
        "usr/share/doc/signet/selinux/signet.if",
      ] + ["de", "ja", "ko", "zh_CN", "zh_TW"].map { "usr/share/locale/\($0)/LC_MESSAGES/signet.mo" }
    for file in rest { #expect(mode(file) == 0o644, "\(file)") }
    let links = [
      ("lib/libsignet.so.0", "libsignet.so.0.1.0"), ("lib/libsignet.so", "libsignet.so.0"),
      ("usr/bin/signet-askpass", "signet"), ("usr/bin/signet-credential", "signet"),
      ("usr/bin/docker-credential-signet", "signet-credential"),
      ("usr/share/man/man1/docker-credential-signet.1", "signet-credential.1"),
    ]
    for (link, target) in links {
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(root.path)/\(link)") == target)
    }
  }

  @Test func `brings a sample of signet.conf, whose lines are valid ones once they count`() throws {
    let sample = try root.read("usr/share/doc/signet/examples/signet.conf")
    let lines = sample.split(separator: "\n").filter { $0.hasPrefix("# ") && $0.contains(" = ") }.map { $0.dropFirst(2) }
    #expect(lines.count > 30, "\(sample)")
    #expect(lines.contains("strikes = 5"))
    try root.write(lines.joined(separator: "\n") + "\n", to: "signet.conf")
    let check = try Command("\(Checkout.release ?? "")/signet", ["check-config", "--file", "\(root.path)/signet.conf"])
    #expect(check.status == 0, "\(check.output)")
  }

  @Test func `a checkout that was moved says what to do`() throws {
    let words = ["-C", root.path, "-f", "\(Checkout.path)/Makefile", "in-place"]
    try root.makeDirectory(".build")
    try root.write("/where/it/was\n", to: ".build/folder")
    let run = try Command("/usr/bin/make", words)
    #expect(run.status != 0)
    #expect(run.output.contains("say `make clean` first"), "\(run.output)")
    #expect(run.output.contains("/where/it/was"))
    try root.write(root.path + "\n", to: ".build/folder")
    #expect(try Command("/usr/bin/make", words).status == 0)
  }

  @Test func `leaves no file that others may write, whatever the umask`() throws {
    let wide = try Command("/bin/sh", ["-c", "umask 000; exec \"$@\"", "sh", "/usr/bin/make"] + arguments("install-files"))
    #expect(wide.status == 0)
    // A link's own mode says nothing.
    for file in files() where !isLink(file) { #expect((mode(file) ?? 0) & 0o022 == 0, "\(file)") }
  }

  /// Where fprintd is installed these are its files.
  @Test func `takes fprintd's name on the bus only where that is wanted`() throws {
    let names = [
      "dbus-1/system-services/net.reactivated.Fprint.service", "dbus-1/system.d/net.reactivated.Fprint.conf",
      "polkit-1/actions/net.reactivated.fprint.device.policy",
    ]
    for name in names { #expect(mode("usr/share/\(name)") == nil) }
    #expect(try make("install-files", "FPRINTD=yes").status == 0)
    for name in names { #expect(mode("usr/share/\(name)") == 0o644) }
    let service = try root.read("usr/share/\(names[0])")
    #expect(service.contains("SystemdService=signet-fprint.service\n"))
    #expect(try make("uninstall").status == 0)
    #expect(files().isEmpty, "\(files())")
  }

  /// Browsers, and all that uses GnuTLS, load what is named there.
  @Test func `names the PKCS#11 module to p11-kit only where that is wanted`() throws {
    #expect(mode("usr/share/p11-kit/modules/signet.module") == nil)
    #expect(try make("install-files", "P11KIT=yes").status == 0)
    #expect(try root.read("usr/share/p11-kit/modules/signet.module").contains("\nmodule: signet-pkcs11.so\n"))
    #expect(try make("uninstall").status == 0)
    #expect(files().isEmpty, "\(files())")
  }

  @Test func `is undone by make uninstall`() throws {
    let uninstall = try make("uninstall")
    #expect(uninstall.status == 0, "\(uninstall.output)")
    #expect(files().isEmpty, "\(files())")
  }

  @Test func `is undone twice without a complaint`() throws {
    for _ in 1...2 {
      let uninstall = try make("uninstall")
      #expect(uninstall.status == 0 && uninstall.output.isEmpty, "\(uninstall.output)")
    }
  }

  @Test func `builds nothing, and says what is missing`() throws {
    let missing = try make("install-files", "RELEASE=\(root.path)/none")
    #expect(missing.status != 0)
    #expect(missing.output.contains("\(root.path)/none/signetd is missing: say `make` first, as yourself"))
  }

  @Test func `moves the programs with PREFIX and tells systemd so`() throws {
    let moved = try make("install-files", "PREFIX=/opt/signet")
    #expect(moved.status == 0)
    let unit = try root.read("opt/signet/lib/systemd/system/signetd.service")
    #expect(unit.contains("ExecStart=/opt/signet/libexec/signet/signetd\n"))
    let sleep = try root.read("opt/signet/lib/systemd/system/signet-sleep.service")
    #expect(sleep.contains("ExecStart=-/opt/signet/bin/signet suspend\n"))
    let logind = try root.read("opt/signet/lib/systemd/system/signet-logind.service")
    #expect(logind.contains("ExecStart=/opt/signet/libexec/signet/signet-logind"))
    #expect(mode("opt/signet/libexec/signet/signetd") == 0o755)
  }

  private func make(_ goal: String, _ more: String...) throws -> Command {
    try Command("/usr/bin/make", arguments(goal) + more)
  }

  private func arguments(_ goal: String) -> [String] {
    [
      "-s", "-C", Checkout.path, goal, "DESTDIR=\(root.path)", "PAMDIR=/modules", "LIBDIR=/lib",
      "RELEASE=\(Checkout.release ?? "")",
    ]
  }

  private func mode(_ path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(root.path)/\(path)")
    return attributes?[.posixPermissions] as? Int
  }

  private func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(root.path)/\(path)")) != nil
  }

  private func files() -> [String] {
    let everything = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
    return everything.filter { path in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(root.path)/\(path)", isDirectory: &isDirectory) && !isDirectory.boolValue
    }
  }
}
