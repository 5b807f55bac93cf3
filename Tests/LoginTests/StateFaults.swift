import CLinux
import Glibc
import SignetDigest
import SignetTestKit

private let passcode: Set<Credential> = [.rightPasscode]

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
