import Foundation
import Testing

/// The module is enforced on a booted machine (`make test-vm SELINUX=1`), where a denial fails the story.
@Suite struct `the module for SELinux` {
  private static let folder = "\(Checkout.path)/Sources/tools/packaging/selinux"
  private static let makefile = "/usr/share/selinux/devel/Makefile"

  @Test(.enabled(if: access(makefile, R_OK) == 0, "needs \(makefile) (Debian: selinux-policy-dev)"))
  func `is taken by the reference policy without a warning`() throws {
    let root = try TemporaryDirectory()
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
      try FileManager.default.copyItem(atPath: "\(Self.folder)/\(name)", toPath: "\(root.path)/\(name)")
    }
    let make = try Command("/usr/bin/make", ["-s", "-C", root.path, "-f", Self.makefile, "NAME=default", "signet.pp"])
    #expect(make.status == 0 && !make.output.lowercased().contains("warning"), "\(make.output)")
    #expect(FileManager.default.fileExists(atPath: "\(root.path)/signet.pp"))
  }

  @Test func `has a domain for each program that AppArmor has a profile for`() throws {
    let contexts = try String(contentsOfFile: "\(Self.folder)/signet.fc", encoding: .utf8)
    let rules = try String(contentsOfFile: "\(Self.folder)/signet.te", encoding: .utf8)
    let profiles = try String.profiles(in: "\(Checkout.path)/Sources/tools/packaging/apparmor")
    #expect(profiles.count == 7)
    // What signetd starts.
    let helpers = ["signet-reader", "signet-passcode", "signet-tpm"]
    for program in profiles {
      let type = program.replacing("-", with: "_")
      #expect(contexts.contains("/usr/libexec/signet/\(program)\t--\tgen_context(system_u:object_r:\(type)_exec_t,s0)\n"))
      let attributes = helpers.contains(program) ? "signet_domain, signet_helper" : "signet_domain"
      #expect(rules.contains("\ntype \(type)_t, \(attributes);\n"), "\(program)")
    }
  }
}

extension String {
  /// The names of the profiles in a folder of AppArmor's.
  fileprivate static func profiles(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name in
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      return text.matches(of: #/(?m)^profile ([a-z-]+) /#).map { String($0.1) }
    }
  }
}
