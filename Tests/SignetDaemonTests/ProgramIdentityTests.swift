import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

@testable import DaemonService

/// Which program a process runs, for the items that remember programs.
@Suite struct ProgramIdentityTests {
  private static let user = "/user.slice/user-1000.slice/user@1000.service"

  @Test(arguments: [
    ("/user.slice/user-1000.slice/session-2.scope", "/usr/bin/one", "/usr/bin/one"),
    (user + "/app.slice/app-flatpak-org.example.App-4711.scope", "/app/bin/app", "flatpak:org.example.App"),
    (user + "/app.slice/app-flatpak-org.example.My\\x2dApp-4711.scope", "", "flatpak:org.example.My\\x2dApp"),
    (user + "/app.slice/snap.firefox.firefox-0123.scope", "/snap/firefox/1/firefox", "snap:firefox"),
    ("/system.slice/snap.lxd.daemon.service", "/snap/lxd/1/lxd", "snap:lxd"),
    ("/system.slice/cron.service", "/usr/bin/python3.13", "/usr/bin/python3.13 (cron.service)"),
    ("/system.slice/system-backup.slice/backup@home.service", "", "unit:backup@home.service"),
    // A user's manager starts units of any name.
    (user + "/app.slice/backup.service", "/usr/bin/python3.13", "/usr/bin/python3.13"),
    (user + "/app.slice/backup.service", "", ""), ("", "", ""),
    // But for the one whose executable nobody is shown, in no other place, and not where it is shown.
    (user + "/background.slice/signet-agent.service", "", "user-unit:signet-agent.service"),
    (user + "/background.slice/signet-agent.service", "/usr/bin/one", "/usr/bin/one"),
    (user + "/background.slice/one.service/signet-agent.service", "", ""), (user + "/signet-agent.service", "", ""),
    (user + "/one.scope" + user + "/background.slice/signet-agent.service", "", ""),
    ("/", "/usr/bin/one", "/usr/bin/one"),
    (user + "/app-flatpak-.scope", "/usr/bin/one", "/usr/bin/one"), (user + "/snap..scope", "/usr/bin/one", "/usr/bin/one"),
  ])
  func `it follows from the control group and the executable`(group: String, path: String, text: String) {
    #expect(ProgramIdentity.identity(group: group, path: path) == text)
  }

  @Test func `a path that is too long or could drive a terminal is shortened, and still like no other`() {
    let long = "/" + String(repeating: "directory/", count: 40)
    let paths = [long + "one", long + "two", "/home/\u{1B}[2J/one", "/home/\u{1B}[3J/one", "/home/\u{202E}one"]
    let texts = paths.map { ProgramIdentity.identity(group: "", path: $0) }
    #expect(Set(texts).count == paths.count)
    for text in texts {
      #expect(text.hasPrefix("/") && text.utf8.count <= ItemLimit.program)
      #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
    }
  }

  @Test(arguments: [
    ("/run/x/python3.11", "/run/x/python3.11"), ("/usr/bin/python3 (cron.service)", "/usr/bin/python3 (cron.service)"),
    ("flatpak:org.example.App", "flatpak:org.example.App"), ("", "an unknown program"),
    (
      "/home/alice/.local/share/apps/one/two/three/four/five/six/idea",
      "/home/alice/.local/.../apps/one/two/three/four/five/six/idea"
    ),
  ])
  func `people are told the whole path, and of a long one both ends`(text: String, shown: String) {
    #expect(ProgramIdentity.shown(text, beside: "/usr/bin/other") == shown)
  }

  @Test func `no two programs are shown alike, in at most 60 bytes`() {
    let long = { (middle: String) in "/home/" + String(repeating: "é", count: 40) + middle + String(repeating: "/one", count: 20)
    }
    let short = ProgramIdentity.shown(long("/a"), beside: "")
    let pairs = [
      ("/run/x/python3.11", "/usr/bin/python3.11"), (long("/a"), long("/b")), (long(""), long("/a")), (long("/a"), short),
      ("flatpak:one", "snap:one"),
    ]
    for (one, other) in pairs {
      let shown = [ProgramIdentity.shown(one, beside: other), ProgramIdentity.shown(other, beside: one)]
      #expect(shown[0] != shown[1] && shown.allSatisfy { $0.utf8.count <= 60 }, "\(shown)")
    }
  }

  // MARK: - real processes

  private func identity(of program: Program) -> ProgramIdentity {
    ProgramIdentity(of: Peer(pid: program.pid, uid: geteuid(), gid: getegid()))
  }

  /// Waits until a child is the program that it was started as.
  private func started(_ words: [String], as path: String) throws -> Program {
    let program = try Program(words, environment: ["PATH=/usr/bin:/bin"])
    try wait(for: "\(words) to be \(path)") { (try? RawFile.target(of: "/proc/\(program.pid)/exe")) == path }
    return program
  }

  private static let sleep = realPath("/bin/sleep")

  private static func realPath(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }

  private func copy(to folder: TemporaryFolder, _ name: String) throws -> String {
    let path = Self.realPath(folder.path) + "/" + name
    // By a process of its own: what other tests start at this moment would inherit a file that this one writes.
    try #require(try Program(["/bin/cp", Self.sleep, path]).waitForExit() == 0)
    return path
  }

  /// Without what a container's control group adds.
  private func expect(_ program: Program, _ path: String, _ location: SourceLocation = #_sourceLocation) {
    let text = identity(of: program).text
    let kernels = (try? RawFile.target(of: "/proc/\(program.pid)/exe")) ?? "no executable"
    #expect(text == path || text.hasPrefix(path + " ("), "\(text), where the kernel says \(kernels)", sourceLocation: location)
  }

  @Test func `a process is its executable, whatever it calls itself`() throws {
    let folder = try TemporaryFolder()
    let path = try copy(to: folder, "one")
    expect(try started([path, "60"], as: path), path)
    expect(try started(["bash", "-c", "exec -a /usr/bin/other \(path) 60"], as: path), path)
  }

  @Test func `an executable that was replaced is the same program, and one that is called deleted is another`() throws {
    let folder = try TemporaryFolder()
    let path = try copy(to: folder, "one")
    let old = try started([path, "60"], as: path)
    let before = identity(of: old)
    unlink(path)
    expect(old, path)
    #expect(before.isStill(of: Peer(pid: old.pid, uid: geteuid(), gid: getegid())))
    let again = try copy(to: folder, "one")
    let new = try started([again, "60"], as: path)
    #expect(identity(of: new).text == before.text)
    let odd = try copy(to: folder, "one (deleted)")
    expect(try started([odd, "60"], as: odd), odd)
  }

  @Test func `a process that becomes another program is not the one that it was`() throws {
    let folder = try TemporaryFolder()
    let (one, two) = (try copy(to: folder, "one"), try copy(to: folder, "two"))
    let first = try started([one, "60"], as: one)
    let second = try started([two, "60"], as: two)
    #expect(!identity(of: first).isStill(of: Peer(pid: second.pid, uid: geteuid(), gid: getegid())))
  }

  @Test func `scripts of one interpreter are one program`() throws {
    let shell = Self.realPath("/bin/bash")
    let scripts = try ["one", "two"].map { try started(["bash", "-c", "read \($0) < <(sleep 60)"], as: shell) }
    #expect(identity(of: scripts[0]) == identity(of: scripts[1]))
  }

  @Test func `nobody is known by a process that has ended`() throws {
    let program = try Program(["true"], environment: ["PATH=/usr/bin:/bin"])
    let peer = Peer(pid: program.pid, uid: geteuid(), gid: getegid())
    #expect(try program.waitForExit() == 0)
    #expect(ProgramIdentity(of: peer).text.isEmpty)
  }

  private static let hasNamespaces =
    (try? Program(["unshare", "--user", "--mount", "true"], environment: ["PATH=/usr/bin:/bin"]).waitForExit()) == 0

  /// A process that has mounted one file at the path of another, as any user may in a namespace of their own, and waits there.
  private func mounting(
    _ path: String, at other: String, _ namespaces: [String] = ["--user", "--map-root-user"]
  ) throws -> Program {
    let script = "mount --bind \(path) \(other) && exec \(Self.sleep) 60"
    return try started(["unshare", "--mount"] + namespaces + ["sh", "-c", script], as: Self.sleep)
  }

  /// What nobody believes of a process whose executable has this path.
  private func expectUnknown(_ program: Program, _ path: String, _ location: SourceLocation = #_sourceLocation) throws {
    try #require((try RawFile.target(of: "/proc/\(program.pid)/exe")).hasPrefix(path), sourceLocation: location)
    let text = identity(of: program).text
    #expect(!text.contains(path), "\(text)", sourceLocation: location)
    // Nor does the history name it.
    #expect(!PeerProcess(of: program.pid, connected: bootMilliseconds()).program.contains("/"), sourceLocation: location)
  }

  @Test(.enabled(if: hasNamespaces, "needs unshare(1) and namespaces of users"))
  func `a path in a namespace of the process's own is not believed`() throws {
    let folder = try TemporaryFolder()
    let (path, other) = (try copy(to: folder, "one"), try copy(to: folder, "other"))
    let script = "mount --bind \(path) \(other) && exec \(other) 60"
    let program = try started(["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", script], as: other)
    try expectUnknown(program, other)
  }

  @Test(.enabled(if: hasNamespaces, "needs unshare(1) and namespaces of users"))
  func `a path in another's namespace is not believed of a process that was started from there, its file deleted or not`() throws
  {
    let folder = try TemporaryFolder()
    let (path, other) = (try copy(to: folder, "one"), try copy(to: folder, "other"))
    try withExtendedLifetime(try mounting(path, at: other)) { mounting in
      let program = try started(["/proc/\(mounting.pid)/root\(other)", "60"], as: other)
      try expectUnknown(program, other)
      let honest = try started([other, "60"], as: other)
      #expect(!identity(of: honest).isStill(of: Peer(pid: program.pid, uid: geteuid(), gid: getegid())))
      unlink(path)
      try expectUnknown(program, other)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"))
  func `what root mounted elsewhere is unknown, and what it left alone is not`() throws {
    let folder = try TemporaryFolder()
    let (path, other) = (try copy(to: folder, "one"), try copy(to: folder, "other"))
    try withExtendedLifetime(try mounting(path, at: other, [])) { mounting in
      try expectUnknown(try started(["/proc/\(mounting.pid)/root\(other)", "60"], as: other), other)
    }
    expect(try started(["unshare", "--mount", path, "60"], as: path), path)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"))
  func `what is mounted no more is unknown, whatever path is left of it`() throws {
    let folder = try TemporaryFolder()
    let other = try copy(to: folder, "other")
    let script = """
      cd \(folder.path) && mkdir tree && mount -t tmpfs none tree && cd tree && mkdir -p .\(folder.path) \
        && cp \(Self.sleep) .\(other) && umount -l ../tree && exec .\(other) 60
      """
    try expectUnknown(try started(["unshare", "--mount", "sh", "-c", script], as: other), other)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to look as another user"))
  func `it is found without the right to trace, by looking as the user`() throws {
    // What signetd has left under its unit; a test of its own thread would keep it.
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let path = try copy(to: folder, "one")
    let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", path, "60"]
    let program = try started(words, as: path)
    let text = ProgramIdentity(of: Peer(pid: program.pid, uid: 65534, gid: 65534)).text
    #expect(text == path || text.hasPrefix(path + " ("))
    // The thread is itself again.
    #expect(access("/proc/1/environ", R_OK) == 0 && geteuid() == 0)
  }
}
