import CLinux
import Glibc

/// What can be the matter with a file.
public struct FileFault: Sendable {
  public let name: String
  public let inject: @Sendable (String) throws -> Void

  public static let all: [FileFault] = [
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
  public static let foreign: [FileFault] = [
    FileFault(name: "somebody else's") { path in chown(path, 65534, 65534) },
    FileFault(name: "a device without end") { path in try replace(path) { mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) } },
  ]

  private static func replace(_ path: String, _ make: () -> Int32) throws {
    unlink(path)
    guard make() == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  }
}
