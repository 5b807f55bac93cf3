import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// Where signet-hid listens. Each packet is one report, in either direction; one of a single byte says that nobody has the device open.
enum HidSocket {
  /// The socket that systemd listens at (sd_listen_fds(3)); `nil` where the program was started by hand.
  static func passed() -> Int32? {
    func variable(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
    guard variable("LISTEN_PID") == getpid(), variable("LISTEN_FDS") == 1 else { return nil }
    // SD_LISTEN_FDS_START
    return 3
  }

  /// Listens by itself; `nil` where that cannot be, and errno says why.
  static func open(at path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    unlink(path)
    // Everybody may connect: who somebody is comes from the kernel.
    if clinux_bind_unix(descriptor, path) == 0, chmod(path, 0o666) == 0, listen(descriptor, 64) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// Takes who waits; `nil` where it is nobody any more.
  static func accept(_ listener: Int32) -> (connection: Int32, uid: UInt32)? {
    let connection = clinux_accept(listener, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
    guard connection >= 0 else { return nil }
    var (pid, uid, gid): (pid_t, uid_t, gid_t) = (0, 0, 0)
    if clinux_peer(connection, &pid, &uid, &gid) == 0 { return (connection, uid) }
    close(connection)
    return nil
  }

  enum Packet {
    case report, nothing
    /// The peer left, or sent what is no report.
    case end
  }

  /// Reads a packet. Descriptors that come with one are closed by the kernel.
  static func read(_ connection: Int32, into report: inout [UInt8]) -> Packet {
    let count = recv(connection, &report, report.count, Int32(MSG_DONTWAIT | MSG_TRUNC))
    if count == report.count { return .report }
    return count < 0 && (clinux_errno() == EAGAIN || clinux_errno() == EINTR) ? .nothing : .end
  }

  /// Sends a report, which is dropped where the peer has not read those before, as HID does. False where nobody is there any more.
  static func write(_ connection: Int32, _ report: [UInt8]) -> Bool {
    let count = send(connection, report, report.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    return count == report.count || clinux_errno() == EAGAIN || clinux_errno() == EINTR
  }

  /// Says that no program has the device open any more. False where that cannot be said: unlike a report it must not be dropped, since
  /// nobody would say it again.
  static func writeClosed(_ connection: Int32) -> Bool {
    let closed: [UInt8] = [0]
    return send(connection, closed, closed.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) == closed.count
  }
}
