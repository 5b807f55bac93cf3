import CLinux
import Glibc
import SignetFiles

/// The file that a process runs, and the path that the kernel gives it.
///
/// That path is worth as much as the mount on which it ends. Whoever has a namespace of users mounts any file at any path there,
/// and a program that is started from that place keeps the path wherever it runs; so does one whose mount is gone.
struct Executable: Equatable, Sendable {
  /// Without what the kernel puts behind the path of a file that has none any more: one that was replaced by an upgrade, for
  /// instance.
  let path: String
  private let file: File
  /// The number of the mount.
  private let mount: String

  private struct File: Equatable, Sendable {
    let device: dev_t
    let number: ino_t

    init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
  }

  private static let deleted = " (deleted)"

  /// `nil` where the kernel does not say, where the process has a namespace of users of its own, and where its file system lets
  /// nobody but its user look (fuse(4)).
  init?(of peer: Peer) {
    let descriptor = Executable.asPeer(peer) { () -> Descriptor? in
      guard Executable.isOutside(peer) else { return nil }
      // Who cannot be read cannot be traced either. Nobody's lease on the file is waited for.
      return Descriptor(unsafe clinux_open("/proc/\(peer.pid)/exe", O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0))
    }
    guard let descriptor else { return nil }
    self.init(descriptor)
  }

  private init?(_ descriptor: borrowing Descriptor) {
    var status = stat()
    guard descriptor.raw >= 0, unsafe fstat(descriptor.raw, &status) == 0, let mount = Executable.mount(of: descriptor),
      let path = PeerProcess.link("/proc/self/fd/\(descriptor.raw)"), path.hasPrefix("/")
    else { return nil }
    let isDeleted = status.st_nlink == 0 && path.hasSuffix(Executable.deleted)
    self.path = isDeleted ? String(path.dropLast(Executable.deleted.count)) : path
    self.mount = mount
    file = File(status)
  }

  /// signetd's own namespace of users.
  private static let users = PeerProcess.link("/proc/self/ns/user")

  /// Whether the process has no other namespace of users.
  private static func isOutside(_ peer: Peer) -> Bool {
    users != nil && users == PeerProcess.link("/proc/\(peer.pid)/ns/user")
  }

  /// The kernel shows who may not trace a process neither its executable nor its namespaces. signetd is root without the
  /// capability to trace, so that it looks as the user whose process it is.
  private static func asPeer<Value: ~Copyable>(_ peer: Peer, _ look: () -> Value) -> Value {
    // Of this thread only. Who may not do it looks as itself.
    let (group, user) = (setfsgid(peer.gid), setfsuid(peer.uid))
    defer {
      _ = setfsuid(uid_t(bitPattern: user))
      _ = setfsgid(gid_t(bitPattern: group))
    }
    return look()
  }

  // MARK: - what is believed

  /// Whether the path leads to this file for everybody: signetd finds it there, or the mount is one of the system's. The second is for
  /// what was replaced, and for what signetd's sandbox hides from it, such as homes. What root mounted elsewhere, as for a
  /// container, is neither.
  func isAtItsPath(for peer: Peer) -> Bool { isFound(by: peer) || Executable.isOfSystem(mount) }

  private func isFound(by peer: Peer) -> Bool {
    var status = stat()
    // The kernel's path has no links: one that is found there belongs to another tree.
    let isThere = Executable.asPeer(peer) { unsafe lstat(path, &status) == 0 }
    return isThere && File(status) == file
  }

  /// Whether the process runs this very file. It is asked at each look at an item, so it costs little.
  func isRun(by peer: Peer) -> Bool {
    var status = stat()
    let (isThere, isOutside) = Executable.asPeer(peer) {
      (unsafe stat("/proc/\(peer.pid)/exe", &status) == 0, Executable.isOutside(peer))
    }
    return isThere && isOutside && File(status) == file
  }

  private static func mount(of descriptor: borrowing Descriptor) -> String? {
    let lines = PeerProcess.read("/proc/self/fdinfo/\(descriptor.raw)").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return lines.split(separator: "\n").first { $0.hasPrefix("mnt_id:\t") }.map { String($0.dropFirst(8)) }
  }

  /// The first process has what everybody sees; signetd has mounts of its own under its unit, or where somebody tries it elsewhere.
  private static func isOfSystem(_ mount: String) -> Bool {
    ["/proc/1/mountinfo", "/proc/self/mountinfo"].contains { path in
      table(path).split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "\(mount) ".utf8) }
    }
  }

  /// More than the mounts of a busy host of containers. What is behind that is not believed.
  private static let tableLimit = 4 << 20

  /// One of the kernel's tables, which come in pieces.
  private static func table(_ path: String) -> [UInt8] {
    let descriptor = Descriptor(unsafe clinux_open(path, O_RDONLY | O_CLOEXEC, 0))
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 16 * 1024))
    while bytes.count < tableLimit {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor.raw, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }
}
