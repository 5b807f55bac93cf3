import CLinux
import DaemonService
import Glibc
import SignetFiles
import SignetVocabulary

/// The socket on which signetd is asked: systemd's, or one of its own.
struct ListeningSocket: ~Copyable {
  let descriptor: Descriptor
  /// Whether systemd holds the socket and starts signetd again for the next request.
  var isActivated: Bool { name != Handover.boundSocket }
  /// By which it is handed on to the next signetd.
  let name: String
  private let path: String
  private var lock: Descriptor?

  static let defaultPath = "/run/signet/socket"

  /// `passed`: the socket that systemd passes, which is not used where there is a path, or that the signetd before this one
  /// has bound.
  init(path: String?, passed: (name: String, descriptor: Int32)?) throws(StartFailure) {
    if let (name, raw) = passed, path == nil || name == Handover.boundSocket {
      var kind: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      guard unsafe getsockopt(raw, SOL_SOCKET, SO_TYPE, &kind, &length) == 0, kind == Int32(SOCK_SEQPACKET.rawValue) else {
        throw StartFailure(description: "the socket that was passed is not of type SOCK_SEQPACKET; see signetd.socket")
      }
      _ = fcntl(raw, F_SETFL, O_NONBLOCK)
      descriptor = Descriptor(raw)
      self.name = name
      self.path = ListeningSocket.path(of: raw)
    } else {
      do { descriptor = try ListeningSocket.bound(to: path ?? ListeningSocket.defaultPath) } catch {
        throw StartFailure(description: error.description)
      }
      name = Handover.boundSocket
      self.path = path ?? ListeningSocket.defaultPath
    }
  }

  /// From now on connections are taken. A file beside the socket is locked for as long as this process runs: by it whoever waits
  /// for an answer knows that signetd has started.
  mutating func begins() { lock = ListeningSocket.locked(beside: path) }

  /// Whether somebody waits to be let in.
  var hasCaller: Bool {
    var socket = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&socket, 1, 0) > 0
  }

  private static func path(of socket: Int32) -> String {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(socket, $0, &length) == 0 }
    }
    guard isNamed else { return "" }
    return unsafe withUnsafeBytes(of: address.sun_path) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// A file beside the socket, locked; `nil` where that fails, and then a slow start looks to a client like a stuck signetd.
  ///
  /// It is new each time: who has the old one open, which anybody may, cannot keep it from being locked.
  private static func locked(beside path: String) -> Descriptor? {
    let new = path + ".lock.new"
    _ = unsafe unlink(new)
    let raw = unsafe clinux_open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard raw >= 0 else { return nil }
    let file = Descriptor(raw)
    guard clinux_hold_lock(raw) == 0, fchmod(raw, 0o644) == 0, unsafe rename(new, path + ".lock") == 0 else { return nil }
    return file
  }

  private static func bound(to path: String) throws(SystemError) -> Descriptor {
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let raw = socket(AF_UNIX, kind, 0)
    guard raw >= 0 else { throw .last(.socket) }
    let descriptor = Descriptor(raw)
    // What is left of a killed signetd; a living one holds the lock on the state directory, so its socket is safe.
    var status = stat()
    if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { _ = unsafe unlink(path) }
    guard unsafe clinux_bind_unix(raw, path) == 0 else { throw .last(.bind, path) }
    // Anyone may connect: who may do what is decided by the peer's credentials.
    guard unsafe chmod(path, 0o666) == 0 else { throw .last(.changeMode, path) }
    guard listen(raw, 128) == 0 else { throw .last(.listen, path) }
    return descriptor
  }

  /// Takes one connection, `nil` where there is none.
  borrowing func accept() -> Descriptor? {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let raw = clinux_accept(descriptor.raw, flags)
    if raw >= 0 { return Descriptor(raw) }
    // Without a free descriptor the connection stays in the queue, and poll(2) would announce it again and again.
    if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(clinux_errno()) { _ = poll(nil, 0, 100) }
    return nil
  }
}
