import Foundation
import Testing

/// The profiles are enforced on the booted machine (Tests/Machine), where a denial fails the story.
@Suite struct `the AppArmor profiles` {
  private static let folder = "\(Checkout.path)/Sources/tools/packaging/apparmor"
  private static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
  }

  @Test(
    .enabled(if: access("/sbin/apparmor_parser", X_OK) == 0, "needs apparmor_parser (Debian: apparmor)"), arguments: names)
  func `are taken by Debian's parser without a warning`(name: String) throws {
    // For the kernel's features that Debian's own profiles are written for, as a machine that runs the tests may have no AppArmor.
    let words = ["--skip-kernel-load", "--skip-cache", "--warn=all", "--kernel-features", "/etc/apparmor.d/abi/3.0"]
    let parser = try Command("/sbin/apparmor_parser", words + ["\(Self.folder)/\(name)"])
    #expect(parser.status == 0 && !parser.output.contains("signet"), "\(parser.output)")
  }

  @Test func `are there for each service of the system, of its program`() throws {
    let sources = FileManager.default.enumerator(atPath: "\(Checkout.path)/Sources")?.allObjects as? [String] ?? []
    let units = sources.filter { $0.hasSuffix(".service") }
    // What the user's manager starts starts what the user has chosen for questions. signet-sleep is the command, which root has anyway.
    let isOfUser = ["signet-agent", "signet-secrets", "signet-passkey", "signet-ssh", "signet-sleep"]
    var checked = 0
    for unit in units {
      let name = String((unit as NSString).lastPathComponent.dropLast(".service".count))
      let lines = try String(contentsOfFile: "\(Checkout.path)/Sources/\(unit)", encoding: .utf8).split(separator: "\n")
      guard !isOfUser.contains(name), let start = lines.first(where: { $0.hasPrefix("ExecStart=") }) else { continue }
      #expect(try text(name).contains("\nprofile \(name) \(start.dropFirst("ExecStart=".count)) "), "\(unit)")
      checked += 1
    }
    #expect(checked == Self.names.count)
  }

  /// Under NoNewPrivileges= another profile alone would be refused by the kernel, and the program not be started.
  @Test func `have whatever signetd starts confined by two of them together`() throws {
    let profile = try text("signetd")
    for program in ["signet-reader", "signet-passcode", "signet-tpm"] {
      #expect(profile.contains("\n  /usr/libexec/signet/\(program) mrpix -> &\(program),\n"))
      #expect(profile.contains("\nprofile \(program) flags="))
    }
    // That of Debian 13 has another profile for unix_chkpwd, and its parser refuses two for one program.
    #expect(profile.contains("unix_chkpwd mrix,") && !profile.contains("\n  include <abstractions/authentication>\n"))
  }
}
