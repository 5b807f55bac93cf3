import CLinux
import SignetDigest
import Glibc
import SignetTestKit
import SignetWire
import Testing

/// What somebody offers at a login.
enum Credential: CaseIterable, Sendable, CustomTestStringConvertible {
  case wrongFinger, noFinger, wrongPasscode, rightFinger, rightPasscode

  var testDescription: String { "\(self)" }

  var fingers: [String] {
    switch self {
    case .rightFinger: ["right"]
    case .noFinger: []
    // Three misses are the quickest way to the passcode.
    case .wrongFinger, .wrongPasscode, .rightPasscode: ["wrong", "wrong", "wrong"]
    }
  }

  /// To the passcode question; an empty one cancels.
  var answer: String {
    switch self {
    case .wrongPasscode: "wrong horse"
    case .rightPasscode: RunningDaemon.passcode
    case .wrongFinger, .noFinger, .rightFinger: ""
    }
  }
}

/// Something that goes wrong with a login, and which credentials are legitimate all the same.
struct Fault: Sendable, CustomTestStringConvertible {
  /// When it happens.
  enum Moment: Sendable {
    case before, atTouch, afterMiss, whileCheckingPasscode
  }

  let testDescription: String
  var moment = Moment.before
  /// Those that still prove who somebody is; any other succeeding is a hole.
  var accepts: Set<Credential>
  var user: String?
  var options = "timeout=3"
  var launcher: [String] = []
  /// In milliseconds, how long the login may take on top of waiting for a finger.
  var limit: Int64 = 3_000
  let inject: @Sendable (Scene) throws -> Void

  init(
    _ name: String, _ moment: Moment = .before, accepts: Set<Credential> = [], user: String? = nil,
    options: String = "timeout=3", launcher: [String] = [], _ inject: @escaping @Sendable (Scene) throws -> Void = { _ in }
  ) {
    testDescription = name
    (self.moment, self.accepts, self.user, self.options, self.launcher) = (moment, accepts, user, options, launcher)
    self.inject = inject
  }

  /// The credentials with which a login gets as far as the fault.
  private var credentials: [Credential] {
    moment == .whileCheckingPasscode ? [.wrongPasscode, .rightPasscode] : Credential.allCases
  }

  /// Each fault with each credential that can meet it.
  static func cases(_ faults: [Fault]) -> [(Fault, Credential)] {
    faults.flatMap { fault in fault.credentials.map { (fault, $0) } }
  }

  /// One login under the fault.
  func login(_ credential: Credential) throws -> HostRun {
    let scene = try Scene(launcher: launcher)
    if moment == .whileCheckingPasscode { try scene.holdPasscodeChecks() }
    if moment == .before { try inject(scene) }
    let options = credential == .noFinger ? "timeout=1" : options
    let host = try LoginHost(scene.daemon, user: user, options: options, answers: [credential.answer])
    let fingers = moment == .afterMiss && credential.fingers.count < 3 ? ["wrong"] + credential.fingers : credential.fingers
    var hasHappened = moment == .before
    let run = try host.finish(presenting: fingers, on: scene.reader) { message in
      guard !hasHappened, comes(with: message) else { return }
      hasHappened = true
      try scene.checking?.awaitArrival()
      try inject(scene)
    }
    #expect(hasHappened, "the login did not get as far")
    return run
  }

  private func comes(with message: String) -> Bool {
    switch moment {
    case .before: false
    case .atTouch: message.isFirstPrompt
    case .afterMiss: message.hasPrefix("Fingerprint not recognised")
    case .whileCheckingPasscode: message.hasPrefix("Passcode")
    }
  }
}

private let finger: Set<Credential> = [.rightFinger]
private let passcode: Set<Credential> = [.rightPasscode]

// MARK: Processes

extension Fault {
  /// Dead, missing and lying processes.
  static let processes: [Fault] = [
    Fault("signetd is gone") { $0.daemon.end(SIGKILL) },
    Fault("signetd is killed at the prompt", .atTouch) { $0.daemon.end(SIGKILL) },
    Fault("signetd is killed after a miss", .afterMiss) { $0.daemon.end(SIGKILL) },
    Fault("signetd is killed while it checks a passcode", .whileCheckingPasscode) { $0.daemon.end(SIGKILL) },
    Fault("signetd is stopped by the system at the prompt", .atTouch) { $0.daemon.end(SIGTERM) },
    Fault("signetd is started anew after a miss", .afterMiss) { try $0.restart(SIGKILL) },
    Fault("signet-reader was killed", accepts: [.rightFinger, .rightPasscode]) { try $0.signal(SIGKILL, to: "signet-reader") },
    Fault("signet-reader is killed at the prompt", .atTouch, accepts: passcode) { try $0.signal(SIGKILL, to: "signet-reader") },
    Fault("signet-reader is killed after a miss", .afterMiss, accepts: passcode) {
      try $0.signal(SIGKILL, to: "signet-reader")
    },
    Fault("signet-passcode is killed while it checks", .whileCheckingPasscode) { try $0.signal(SIGKILL, to: "signet-passcode") },
    Fault("signet-passcode is stopped while it checks", .whileCheckingPasscode) {
      try $0.signal(SIGSTOP, to: "signet-passcode")
    },
  ]

  /// Programs in the place of signetd's own.
  static let programs: [Fault] = [
    Fault("signet-reader is missing", accepts: passcode) { try $0.replace("signet-reader", by: nil) },
    Fault("signet-reader ends at once", accepts: passcode) { try $0.replace("signet-reader", by: "exit 0") },
    Fault("signet-reader says nothing", accepts: passcode, options: "timeout=1") {
      try $0.replace("signet-reader", by: "exec sleep 60")
    },
    Fault("signet-reader says nonsense", accepts: passcode) {
      try $0.replace("signet-reader", by: "head -c 300 /dev/urandom >&0; exec sleep 60")
    },
    Fault("signet-reader sends matches of other operations", accepts: passcode, options: "timeout=1") { scene in
      let matches: [UInt32] = [0, 1, 3, 99, .max]
      let script =
        try ["head -c 1 >/dev/null", scene.sending(.opened(operation: 1))]
        + matches.map { try scene.sending(.match(operation: $0, index: 0)) } + ["exec sleep 60"]
      try scene.replace("signet-reader", by: script.joined(separator: "\n"))
    },
    Fault("signet-reader sends a match before the reader is open", accepts: passcode, options: "timeout=1") { scene in
      let script = try ["head -c 1 >/dev/null", scene.sending(.match(operation: 1, index: 0)), "exec sleep 60"]
      try scene.replace("signet-reader", by: script.joined(separator: "\n"))
    },
    Fault("signet-passcode is missing", accepts: finger) { try $0.replace("signet-passcode", by: nil) },
    Fault("signet-passcode ends at once", accepts: finger) { try $0.replace("signet-passcode", by: "exit 0") },
    Fault("signet-passcode says nonsense", accepts: finger) {
      try $0.replace("signet-passcode", by: "head -c 64 /dev/urandom >&0; exec sleep 60")
    },
    Fault("signet-passcode says verified and more", accepts: finger) { scene in
      try scene.replace("signet-passcode", by: scene.sending([1, 2, 0xA5, 0, 0, 0, 0, 0]))
    },
    Fault("signet-passcode says half of verified", accepts: finger) { scene in
      try scene.replace("signet-passcode", by: scene.sending([1, 2, 0xA5]))
    },
    Fault("signet-passcode says verified in another version", accepts: finger) { scene in
      try scene.replace("signet-passcode", by: scene.sending([2, 2, 0xA5, 0, 0, 0, 0]))
    },
  ]

  /// The service that checks passcodes.
  static let services: [Fault] = [
    Fault("the passcode service is missing", accepts: finger) { unlink($0.daemon.confdir + "/signet-passcode") },
    Fault("the passcode service is empty", accepts: finger) { try $0.setPasscodeService("") },
    Fault("the passcode service names a missing module", accepts: finger) {
      try $0.setPasscodeService("auth required pam_not_there.so")
    },
    Fault("the passcode service permits without asking", accepts: finger) {
      try $0.setPasscodeService("auth required pam_permit.so")
    },
    Fault("the passcode service denies", accepts: finger) { try $0.setPasscodeService("auth required pam_deny.so") },
    Fault("the passcode service asks signet itself", accepts: finger) { scene in
      let module = try ReaderChannel.program("libpam_signet.so")
      try scene.setPasscodeService("auth required \(module) socket=\(scene.daemon.socket)")
    },
  ]
}

// MARK: Readers and users

extension Fault {
  static let readers: [Fault] = [
    Fault("the user is not known", user: "no-such-user"),
    Fault("the user's name is a path", user: "../root"),
    Fault("no reader is connected", accepts: passcode) { scene in
      let text = try String(decoding: RawFile.read(scene.daemon.folder + "/signet.conf"), as: UTF8.self)
      try scene.daemon.write("signet.conf", text.replacing(scene.reader.configuration, with: ""))
      try scene.restart()
    },
    Fault("the reader is unplugged at the prompt", .atTouch, accepts: passcode) { try $0.reader.unplug() },
    Fault("the reader is unplugged after a miss", .afterMiss, accepts: passcode) { try? $0.reader.unplug() },
    Fault("the reader fails at the prompt", .atTouch, accepts: passcode) { try $0.reader.fail(0) },
    Fault("the reader speaks another protocol at the prompt", .atTouch, accepts: passcode) { try $0.reader.fail(5) },
    Fault("the reader is too hot at the prompt", .atTouch, accepts: passcode) { try $0.reader.fail(0x101) },
  ]
}

// MARK: State

/// What can be the matter with a file.
struct FileFault: Sendable {
  let name: String
  let inject: @Sendable (String) throws -> Void

  static let all: [FileFault] = [
    FileFault(name: "empty") { try RawFile.overwrite($0, []) },
    FileFault(name: "truncated") { path in
      let bytes = try RawFile.read(path)
      try RawFile.overwrite(path, Array(bytes.dropLast(bytes.count / 3)))
    },
    FileFault(name: "altered") { path in
      var bytes = try RawFile.read(path)
      bytes[9] ^= 1
      try RawFile.overwrite(path, bytes)
    },
    FileFault(name: "longer than it should be") { path in try RawFile.overwrite(path, RawFile.read(path) + [0]) },
    FileFault(name: "huge") { path in truncate(path, 1 << 32) },
    FileFault(name: "a FIFO") { path in try replace(path) { mkfifo(path, 0o600) } },
    FileFault(name: "a link to /dev/zero") { path in try replace(path) { symlink("/dev/zero", path) } },
    FileFault(name: "a link to itself as it was") { path in
      let real = path + ".real"
      rename(path, real)
      try replace(path) { symlink(real, path) }
    },
    FileFault(name: "a folder") { path in try replace(path) { mkdir(path, 0o700) } },
    FileFault(name: "writable by its group") { path in chmod(path, 0o660) },
    FileFault(name: "writable by all") { path in chmod(path, 0o602) },
  ]

  /// Need root.
  static let foreign: [FileFault] = [
    FileFault(name: "somebody else's") { path in chown(path, 65534, 65534) },
    FileFault(name: "a device without end") { path in try replace(path) { mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) } },
  ]

  private static func replace(_ path: String, _ make: () -> Int32) throws {
    unlink(path)
    guard make() == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  }
}

extension Fault {
  private static let files = FileFault.all + (geteuid() == 0 ? FileFault.foreign : [])

  /// Unreadable strikes: the finger is locked, the passcode is not.
  static let strikes: [Fault] =
    [
      Fault("the strikes file is missing", accepts: passcode) { unlink($0.strikesFile) },
      Fault("the strikes file is another user's", accepts: passcode) { scene in
        // A whole record, of uid 1: the digest is right, the owner is not.
        var bytes = Array(try RawFile.read(scene.strikesFile).dropLast(32))
        bytes[5] = bytes[5] &+ 1
        try RawFile.overwrite(scene.strikesFile, bytes + SHA256.hash(bytes.span))
      },
      Fault("the strikes file says five", accepts: passcode) { scene in
        var bytes = Array(try RawFile.read(scene.strikesFile).dropLast(32))
        bytes[9] = 5
        try RawFile.overwrite(scene.strikesFile, bytes + SHA256.hash(bytes.span))
      },
    ] + files.map { file in Fault("the strikes file is \(file.name)", accepts: passcode) { try file.inject($0.strikesFile) } }

  static let templates: [Fault] =
    [Fault("the template is missing") { try unlink($0.templateFile) }]
    + files.map { file in Fault("the template is \(file.name)", accepts: passcode) { try file.inject($0.templateFile) } }

  /// Folders that are not to be trusted: nobody can say any more whether the user has fingers.
  static let folders: [Fault] = ["users", "the user's"].flatMap { which in
    [
      Fault("\(which) folder is writable by all") { scene in
        chmod(which == "users" ? scene.usersFolder : scene.folder, 0o777)
        if which == "users" { scene.restartIfPossible() }
      },
      Fault("\(which) folder is a link") { scene in
        let path = which == "users" ? scene.usersFolder : scene.folder
        rename(path, path + ".real")
        symlink(path + ".real", path)
        if which == "users" { scene.restartIfPossible() }
      },
      Fault("\(which) folder is a file") { scene in
        let path = which == "users" ? scene.usersFolder : scene.folder
        rename(path, path + ".real")
        try scene.daemon.write("state/" + path.dropFirst(scene.daemon.stateDirectory.count + 1), "")
        if which == "users" { scene.restartIfPossible() }
      },
    ]
      + (geteuid() == 0
        ? [
          Fault("\(which) folder is somebody else's") { scene in
            chown(which == "users" ? scene.usersFolder : scene.folder, 65534, 65534)
            if which == "users" { scene.restartIfPossible() }
          }
        ] : [])
  }

  /// A full disk under the state directory only, in a mount namespace of signetd's own.
  static let disks: [Fault] = [
    Fault("the disk is full", accepts: passcode, launcher: tmpfs) { try $0.fillDisk() },
    Fault("the disk has no room for another file", accepts: passcode, launcher: tmpfs) { try $0.useUpFiles() },
    Fault("the disk is read-only", accepts: passcode, launcher: tmpfs) { try $0.makeDiskReadOnly() },
    // The strike of this scan is on disk already, so its match counts.
    Fault("the disk is full from the prompt on", .atTouch, accepts: [.rightFinger, .rightPasscode], launcher: tmpfs) {
      try $0.fillDisk()
    },
  ]

  /// signetd with its state on a small disk of its own.
  static let tmpfs = [
    "unshare", "-m", "sh", "-c",
    "mkdir -m 700 STATE && mount -t tmpfs -o size=256k,nr_inodes=64,mode=700 signet STATE && exec \"$@\"",
    "sh",
  ]
}

extension Scene {
  var usersFolder: String { "\(daemon.stateDirectory)/users" }

  /// signetd may refuse to start on such a state; then nobody answers.
  func restartIfPossible() {
    daemon.end(SIGTERM)
    try? daemon.start()
  }

  /// The state as signetd sees it, whose mounts are its own.
  private var disk: String { "/proc/\(daemon.pid)/root\(daemon.stateDirectory)" }

  func fillDisk() throws {
    let file = clinux_open(disk + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestKitError("\(disk): \(clinux_errno())") }
    defer { close(file) }
    let page = [UInt8](repeating: 7, count: 4096)
    while write(file, page, page.count) > 0 {}
    guard clinux_errno() == ENOSPC else { throw TestKitError("\(disk): \(clinux_errno())") }
  }

  func useUpFiles() throws {
    for number in 0..<100 {
      let file = clinux_open("\(disk)/filler.\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      if file < 0, clinux_errno() == ENOSPC { return }
      close(file)
    }
    throw TestKitError("\(disk) takes any number of files")
  }

  func makeDiskReadOnly() throws {
    let words = ["nsenter", "-m", "-t", "\(daemon.pid)", "mount", "-o", "remount,ro", daemon.stateDirectory]
    guard try Program(words, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]).waitForExit() == 0 else {
      throw TestKitError("the state cannot be made read-only")
    }
  }
}
