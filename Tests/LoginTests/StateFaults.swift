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
    [
      Fault("the template is missing") { try unlink($0.templateFile) },
      Fault("the template has another seal", accepts: passcode) { scene in
        var bytes = try RawFile.read(scene.templateFile)
        bytes[bytes.count - 1] ^= 1
        try RawFile.overwrite(scene.templateFile, bytes)
      },
      Fault("the template is another user's", accepts: passcode) { scene in
        // The file now names another user, for whom the template is not sealed.
        var bytes = try RawFile.read(scene.templateFile)
        let other = geteuid() + 1
        for index in 0..<4 { bytes[5 + index] = UInt8(truncatingIfNeeded: other >> (8 * index)) }
        try RawFile.overwrite(scene.templateFile, bytes)
      },
    ]
    + files.map { file in Fault("the template is \(file.name)", accepts: passcode) { try file.inject($0.templateFile) } }

  /// A device key that does not open the template, which signetd finds when it starts.
  static let deviceKeys: [Fault] =
    [
      Fault("the device key is missing", accepts: passcode) { scene in
        unlink(scene.deviceKeyFile)
        try scene.restart()
      },
      Fault("the device key is another machine's", accepts: passcode) { scene in
        try RawFile.overwrite(scene.deviceKeyFile, [UInt8](1...32))
        try scene.restart()
      },
    ]
    + files.map { file in
      Fault("the device key is \(file.name)", accepts: passcode) { scene in
        try file.inject(scene.deviceKeyFile)
        try scene.restart()
      }
    }

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

  /// A disk under the state directory only, in a mount namespace of signetd's own. A strike needs no room that it has not.
  static let disks: [Fault] = [
    Fault("the disk is full", accepts: [.rightFinger, .rightPasscode], launcher: Scene.smallDisk) { try $0.fillDisk() },
    Fault("the disk has no room for another file", accepts: [.rightFinger, .rightPasscode], launcher: Scene.smallDisk) {
      try $0.useUpFiles()
    },
    Fault("the disk is read-only", accepts: passcode, launcher: Scene.smallDisk) { try $0.makeDiskReadOnly() },
    // The strike of this scan is on disk already, so its match counts.
    Fault(
      "the disk is read-only from the prompt on", .atTouch, accepts: [.rightFinger, .rightPasscode], launcher: Scene.smallDisk
    ) { try $0.makeDiskReadOnly() },
  ]
}

extension Scene {
  /// signetd may refuse to start on such a state; then nobody answers.
  fileprivate func restartIfPossible() {
    daemon.end(SIGTERM)
    try? daemon.start()
  }
}
