import Glibc

/// Which file stands under a name, and when it was changed: a file with the same stamp has the same contents, owner and mode,
/// except where it was changed twice within one tick of the file system's clock.
public struct FileStamp: Equatable, Sendable {
  /// On the system's clock.
  public struct Time: Equatable, Sendable {
    public let seconds: Int64
    public let nanoseconds: Int64

    init(_ time: timespec) { (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec)) }
  }

  let device: UInt64
  let inode: UInt64
  /// In bytes.
  public let size: Int
  let modified: Time
  /// When contents, owner, mode or links were changed. No call sets this time to another than now.
  public let changed: Time

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }
}
