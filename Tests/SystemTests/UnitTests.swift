import Foundation
import Testing

private let units = "\(Checkout.path)/Sources/signetd/signetd/systemd"

private let hid = "../../../helpers/signet-hid/systemd/signet-hid"
private let passkey = "../../../helpers/signet-passkey/systemd/signet-passkey"
private let secrets = "../../../helpers/signet-secrets/bus/signet-secrets"
private let agent = "../../../tokens/signet-agent/systemd/signet-agent"
private let ssh = "../../../tools/signet/systemd/signet-ssh"

@Suite struct `the systemd units` {
  private static let names = [
    "signetd.service", "signetd.socket", "signet-sleep.service", "signet-logind.service",
    "signet-fprint.service", hid + ".service", hid + ".socket",
    agent + ".service", agent + ".socket", secrets + ".service", passkey + ".service", ssh + ".service", ssh + ".socket",
  ]

  @Test func `are clean for systemd-analyze verify`() throws {
    let directory = try TemporaryDirectory()
    for name in Self.names {
      let unit = try String(contentsOfFile: "\(units)/\(name)", encoding: .utf8)
      // The program and its page stand where they are installed only after an installation.
      let here = unit.replacing(/\/usr\/(libexec\/signet|bin)\/signet[a-z-]*/, with: "/bin/true")
        .replacing("man:", with: "https://")
      try directory.write(here, to: (name as NSString).lastPathComponent)
    }
    let verify = try Command(
      "/usr/bin/systemd-analyze", ["verify"] + Self.names.map { "\(directory.path)/\(($0 as NSString).lastPathComponent)" })
    #expect(verify.status == 0)
    #expect(!verify.output.contains("signet"), "\(verify.output)")
  }

  /// systemd before 254 drops the keys of open vaults when the service has failed, but not when it is about to start again. A
  /// signetd that cannot start must not use up the starts that the socket has.
  @Test func `start signetd again after a crash, and not where it cannot start`() throws {
    let unit = try String(contentsOfFile: "\(units)/signetd.service", encoding: .utf8)
    #expect(unit.split(separator: "\n").filter { $0.hasPrefix("Restart") } == ["Restart=on-abnormal"])
  }

  /// The most that `systemd-analyze security` may say, in tenths. Those that the user's manager starts have no namespace of
  /// users, in which nobody could tell that signetd is root's; most of their points are for rights that a user's process has not.
  private static let exposures = [
    "signetd": 19, "signet-sleep": 9, "signet-logind": 9, "signet-fprint": 9, hid: 9, agent: 62, passkey: 62, secrets: 62,
    ssh: 62,
  ]

  @Test(arguments: exposures.sorted { $0.key < $1.key })
  func `leave a program little to do but its work`(service: String, exposure: Int) throws {
    let arguments = ["security", "--offline=true", "--threshold=\(exposure)", "\(units)/\(service).service"]
    let security = try Command("/usr/bin/systemd-analyze", arguments)
    #expect(security.status == 0, "\(security.output.suffix(200))")
  }

  @Test func `are all looked at for that`() throws {
    let sources = FileManager.default.enumerator(atPath: "\(Checkout.path)/Sources")
    let names = (sources?.allObjects as? [String] ?? []).filter { path in
      guard path.hasSuffix(".service") else { return false }
      return (try? String(contentsOfFile: "\(Checkout.path)/Sources/\(path)", encoding: .utf8))?.contains("\n[Service]\n") == true
    }
    let known = Self.exposures.keys.map { ($0 as NSString).lastPathComponent + ".service" }
    #expect(Set(names.map { ($0 as NSString).lastPathComponent }) == Set(known))
  }

  @Test func `make the user and directories that signetd expects`() throws {
    let users = try Command("/usr/bin/systemd-sysusers", ["--dry-run", "\(units)/signet.sysusers"])
    #expect(users.status == 0)
    let root = try TemporaryDirectory()
    try root.makeDirectory("etc")
    try root.write("root:x:0:0::/root:/bin/sh\n\(caller)", to: "etc/passwd")
    try root.write("root:x:0:\n", to: "etc/group")
    let directories = try String(contentsOfFile: "\(units)/signet.tmpfiles", encoding: .utf8)
    let mine = directories.replacing(" root root ", with: " - - ").replacing(" signet signet ", with: " - - ")
    try root.write(mine, to: "signet.conf")
    let made = try Command("/usr/bin/systemd-tmpfiles", ["--create", "--root=\(root.path)", "\(root.path)/signet.conf"])
    #expect(made.status == 0, "\(made.output)")
    #expect(try mode("\(root.path)/run/signet") == 0o755)
    #expect(try mode("\(root.path)/var/lib/signet") == 0o700)
    #expect(try mode("\(root.path)/run/signet/virtual") == 0o750)
  }

  /// In the sandbox of the unit nothing else of the machine can be written to, and the temporary folder is another one.
  @Test func `leave virtual readers one place, which is the one that the manual names`() throws {
    let unit = try String(contentsOfFile: "\(units)/signetd.service", encoding: .utf8).split(separator: "\n")
    for line in ["ProtectSystem=strict", "PrivateTmp=yes", "RuntimeDirectory=signet"] {
      #expect(unit.contains { $0 == line }, "\(line)")
    }
    #expect(unit.contains { $0.hasPrefix("RestrictAddressFamilies=") && $0.contains("AF_UNIX") })
    let directories = try String(contentsOfFile: "\(units)/signet.tmpfiles", encoding: .utf8)
    #expect(directories.contains("d /run/signet/virtual 0750 signet signet -"))
    let manual = try String(contentsOfFile: "\(Checkout.path)/Sources/signetd/signetd/signet.conf.5", encoding: .utf8)
    #expect(manual.contains("virtual_reader = device:/run/signet/virtual/reader"))
  }

  /// Without a capability: root's files are root's to read.
  @Test func `let signetd read what fprintd has, and not write it`() throws {
    let unit = try String(contentsOfFile: "\(units)/signetd.service", encoding: .utf8).split(separator: "\n")
    #expect(unit.filter { !$0.hasPrefix("#") && $0.contains("fprint") } == ["ReadOnlyPaths=-/var/lib/fprint"])
    #expect(unit.filter { $0.hasPrefix("ReadWritePaths=") } == ["ReadWritePaths=-/run/faillock"])
    #expect(unit.contains { $0 == "ProtectSystem=strict" } && !unit.contains { $0.contains("CAP_DAC_") })
  }

  private var caller: String { "me:x:\(getuid()):\(getgid())::/:/bin/sh\n" }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
