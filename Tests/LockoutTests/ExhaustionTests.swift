import CPAM
import Glibc
import SignetTestKit
import Testing

/// A limit that signetd, and the processes that it starts, run under.
struct Limit: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// A launcher of signetd.
  let launcher: [String]

  init(_ name: String, _ launcher: [String]) { (testDescription, self.launcher) = (name, launcher) }

  static let all: [Limit] =
    [4, 6, 8, 9, 10, 11, 12, 14, 16, 24].map { Limit("\($0) descriptors", ["prlimit", "--nofile=\($0)"]) }
    + [16, 32, 48, 64, 96, 128, 192, 256].map { Limit("\($0) MB of addresses", ["prlimit", "--as=\($0 << 20)"]) }
    + [0, 1, 64, 100, 4096].map { Limit("files of \($0) bytes", ["prlimit", "--fsize=\($0)"]) }
    + [Limit("no locked memory", ["prlimit", "--memlock=0"]), Limit("a stack of 64 KB", ["prlimit", "--stack=65536"])]

  /// Need root.
  static let mounted: [Limit] = [1, 2, 3, 4, 6].map(processes) + [noInotify]

  /// No limits at all, by the same launchers.
  static let generous: [Limit] = [
    Limit("descriptors", ["prlimit", "--nofile=1024"]), Limit("addresses", ["prlimit", "--as=\(4 << 30)"]),
    Limit("file size", ["prlimit", "--fsize=\(1 << 20)"]), processes(1_000), noInotify,
  ]

  private static let noInotify = Limit(
    "no inotify", ["unshare", "-U", "-r", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$@\"", "sh"])

  private static func processes(_ count: Int) -> Limit {
    Limit("\(count) processes and threads", ["unshare", "-m", "sh", "-c", enterControlGroup, "sh", "\(count)"])
  }

  /// Puts signetd into a control group of either version with this limit, and removes empty groups of earlier runs.
  private static let enterControlGroup = """
    root=/sys/fs/cgroup; mount -t tmpfs none $root
    mount -t cgroup -o pids none $root || mount -t cgroup2 none $root || exit 1
    [ ! -e $root/cgroup.subtree_control ] || echo +pids > $root/cgroup.subtree_control || exit 1
    rmdir $root/signet-lockout-tests.* 2>/dev/null
    group=$root/signet-lockout-tests.$$; mkdir $group || exit 1
    echo $1 > $group/pids.max && echo $$ > $group/cgroup.procs && shift && exec "$@"
    """
}

/// signetd, and a host process, with too few descriptors, too little memory and so on, from almost none to almost enough. Nobody
/// gets in without a credential, no scan is free, no strike is lost, and whoever has the passcode is asked for it.
@Suite struct ExhaustionTests {
  /// Signet's passcode and the next module's are the same: whichever asks.
  private func logIn(_ scene: Scene, fingers: [String], passcode: String) throws -> HostRun {
    try scene.daemon.write("next", "\(scene.daemon.user):\(RunningDaemon.passcode):signet-test\n")
    let host = try LoginHost(
      scene.daemon, control: "sufficient", options: "timeout=2",
      next: ["auth required \(RunningDaemon.matrix) passdb=\(scene.daemon.folder)/next"], answers: [passcode, passcode])
    return try host.finish(presenting: fingers, on: scene.reader)
  }

  private func check(_ limit: Limit) throws {
    let scene = try Scene()
    try scene.miss()
    scene.daemon.end(SIGTERM)
    scene.daemon.launcher = limit.launcher
    // Where it cannot even start nobody is looked at.
    try? scene.daemon.start()
    var looks = 1
    for _ in 1...4 {
      let before = scene.daemon.strikesOnDisk ?? -1
      let run = try logIn(scene, fingers: ["wrong", "wrong", "wrong"], passcode: "wrong")
      looks += run.texts.count { $0.hasPrefix("Fingerprint not recognised") || $0.hasPrefix("No fingerprint attempts left") }
      #expect(run.code != PAM_SUCCESS, "\(run.texts)")
      #expect(run.texts.contains { $0.hasPrefix("Pass") }, "nobody asks for the passcode: \(run.texts)")
      #expect(scene.daemon.strikesOnDisk ?? -1 >= before)
      if scene.daemon.hasEnded { try? scene.restart() }
    }
    #expect(looks <= 5)
    let run = try logIn(scene, fingers: [], passcode: RunningDaemon.passcode)
    #expect(run.code == PAM_SUCCESS, "\(run.texts)")
  }

  @Test(arguments: Limit.all) func `signetd at its limits buys no look and loses no strike, and the passcode works`(limit: Limit)
    throws
  {
    try check(limit)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"), arguments: Limit.mounted)
  func `nor do limits on processes and notifications`(limit: Limit) throws { try check(limit) }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"), arguments: Limit.generous)
  func `where there is enough of it the finger opens`(limit: Limit) throws {
    let scene = try Scene()
    scene.daemon.end(SIGTERM)
    scene.daemon.launcher = limit.launcher
    try scene.daemon.start()
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"), arguments: ["full", "without room for a file"])
  func `a disk without room takes strikes as any other`(disk: String) throws {
    let scene = try Scene(launcher: Scene.smallDisk)
    // From then on the file stays as long as it is.
    #expect(try logIn(scene, fingers: [], passcode: RunningDaemon.passcode).code == PAM_SUCCESS)
    #expect(try scene.attempt("right").isSuccess)
    // Who is let in does not wait for the disk.
    #expect(try scene.status().strikes == 0)
    if disk == "full" { try scene.fillDisk() } else { try scene.useUpFiles() }
    for _ in 1...5 { try scene.miss() }
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
    #expect(try scene.status().strikes == 5)
    #expect(try logIn(scene, fingers: [], passcode: RunningDaemon.passcode).code == PAM_SUCCESS)
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"))
  func `a disk that takes no strike buys no look`() throws {
    let scene = try Scene(launcher: Scene.smallDisk)
    try scene.makeDiskReadOnly()
    for _ in 1...6 {
      let run = try logIn(scene, fingers: ["wrong", "wrong"], passcode: "wrong")
      #expect(run.code != PAM_SUCCESS)
      #expect(run.texts.allSatisfy { !$0.isFirstPrompt })
    }
    #expect(try logIn(scene, fingers: ["right"], passcode: RunningDaemon.passcode).code == PAM_SUCCESS)
  }

  @Test func `a host without descriptors or memory is not let in by a wrong finger, and each look is charged`() throws {
    let scene = try Scene()
    try scene.daemon.write("pam/other", "auth required pam_deny.so\n")
    let limits = (4...14).map { "--nofile=\($0)" } + [8, 12, 16, 24, 32, 48, 64].map { "--as=\($0 << 20)" }
    for limit in limits {
      let host = try LoginHost(
        scene.daemon, options: "timeout=2", answers: [""], launcher: ["prlimit", limit], arguments: [])
      let run = try host.finish(presenting: ["wrong"], on: scene.reader)
      #expect(run.code != PAM_SUCCESS, "\(limit): \(run.texts)")
    }
    let looks = scene.daemon.loggedSoFar.split(separator: "\n").count { $0.contains("not recognised") }
    #expect(looks <= 5)
    #expect(scene.daemon.strikesOnDisk ?? -1 >= looks)
  }

  @Test func `a crowd of connections that say nothing holds up no passcode and no strike`() throws {
    let scene = try Scene()
    try scene.miss()
    let crowd = try (1...64).map { _ in try ClientSocket(path: scene.daemon.socket) }
    let run = try logIn(scene, fingers: [], passcode: RunningDaemon.passcode)
    #expect(run.code == PAM_SUCCESS)
    withExtendedLifetime(crowd) {}
  }
}
