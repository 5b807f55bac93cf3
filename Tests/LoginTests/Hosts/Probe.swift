import Foundation
import Glibc
import SignetTestKit

/// What hosts leave in a world.
extension World {
  /// The command that hosts start: it says what it has inherited, and what it can read.
  func addProbe() throws {
    try addProgram(
      "probe",
      """
      #!/bin/sh
      # The last one is the folder that ls reads.
      ls -m /proc/self/fd > /run/probe/descriptors
      echo "probe reads"
      IFS= read -r line
      echo "read <$line>"

      """)
    // For commands of any user.
    guard mkdir(root + "/run/probe", 0o777) == 0, chmod(root + "/run/probe", 0o777) == 0 else {
      throw TestKitError("no folder for the probe")
    }
  }

  func addProgram(_ name: String, _ text: String) throws {
    let path = root + "/usr/local/bin/" + name
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    guard chmod(path, 0o755) == 0 else { throw TestKitError("\(path): \(errno)") }
  }

  private var descriptors: String { root + "/run/probe/descriptors" }

  /// Whether the probe was started since the last look.
  func hasProbed() throws -> Bool { unlink(descriptors) == 0 }

  func probedDescriptors() throws -> String { try RawFile.text(descriptors) }

  /// The processes in here, but for the reader's, which ends when it is idle. Other processes of this machine see other files.
  func inhabitants() throws -> Set<pid_t> {
    let place = try RawFile.target(of: "/proc/\(holderPid)/ns/mnt")
    return Set(
      try RawFile.names(in: "/proc").compactMap { pid_t($0) }.filter { process in
        // One that has ended meanwhile is nowhere.
        (try? RawFile.target(of: "/proc/\(process)/ns/mnt")) == place
          && (try? RawFile.text("/proc/\(process)/comm")) != "signet-reader\n"
      })
  }

  /// Whether anybody is connected to signetd.
  func hasConnections() throws -> Bool {
    let open = Set(try ProcessLook(daemonPid).descriptors().values)
    // `address: count protocol flags type state inode path`; 03 is connected.
    return try RawFile.text("/proc/net/unix").split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      guard fields.count == 8, fields[7].hasSuffix("/signet/socket"), fields[5] == "03" else { return false }
      return open.contains("socket:[\(fields[6])]")
    }
  }
}
