import CLinux
import Glibc

extension Scene {
  /// What a disk in memory gives out at a time.
  public static let page = sysconf(Int32(_SC_PAGESIZE))

  /// A launcher: signetd with its state on a small disk of its own, in a mount namespace.
  public static let smallDisk = [
    "unshare", "-m", "sh", "-c",
    "mkdir -m 700 STATE && mount -t tmpfs -o size=\(64 * page),nr_inodes=64,mode=700 signet STATE && exec \"$@\"",
    "sh",
  ]

  public var usersFolder: String { "\(daemon.stateDirectory)/users" }

  /// The state as signetd sees it, whose mounts are its own.
  private var disk: String { "/proc/\(daemon.pid)/root\(daemon.stateDirectory)" }

  public func fillDisk() throws {
    let file = clinux_open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestKitError("\(disk): \(clinux_errno())") }
    defer { close(file) }
    let page = [UInt8](repeating: 7, count: Scene.page)
    while write(file, page, page.count) > 0 {}
    guard clinux_errno() == ENOSPC else { throw TestKitError("\(disk): \(clinux_errno())") }
  }

  /// What `fillDisk` fills, as signetd sees it.
  private var filler: String { disk + "/filler" }

  /// Gives back so many pages of a full disk.
  public func leaveRoom(_ pages: Int) throws {
    let size = try RawFile.read(filler).count
    guard truncate(filler, size - Scene.page * pages) == 0 else { throw TestKitError("\(filler): \(clinux_errno())") }
  }

  /// Gives back all of it.
  public func emptyFiller() throws {
    guard truncate(filler, 0) == 0 else { throw TestKitError("\(filler): \(clinux_errno())") }
  }

  public func useUpFiles() throws {
    for number in 0..<100 {
      let file = clinux_open("\(disk)/filler.\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      if file < 0, clinux_errno() == ENOSPC { return }
      close(file)
    }
    throw TestKitError("\(disk) takes any number of files")
  }

  public func makeDiskReadOnly() throws {
    let words = ["nsenter", "-m", "-t", "\(daemon.pid)", "mount", "-o", "remount,ro", daemon.stateDirectory]
    guard try Program(words, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]).waitForExit() == 0 else {
      throw TestKitError("the state cannot be made read-only")
    }
  }
}
