// SignetClient is how a program asks signetd: connecting, checking who answers, and following a request to its end. It is
// compiled twice: normally, and in Embedded Swift inside the PAM module.
import CLinux

#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// Why a request got no answer. None of these is a verdict: the caller treats them as "unavailable".
public enum ClientError: Error, Equatable, Sendable {
  /// Nobody listens (errno of socket(2) or connect(2)).
  case noHelper(Int32)
  /// The listener runs as neither root nor the caller, so it is not believed.
  case untrustedHelper(UInt32)
  /// The helper closed the connection, or sending failed (errno, 0 for a plain close).
  case closed(Int32)
  /// Nothing came within the deadline: the helper is stopped or stuck.
  case silent
  /// signetd goes on talking and does not decide.
  case overdue
  /// What came is not a packet of this protocol, or not one that belongs here.
  case malformed
  /// The user gave up: by a signal such as Ctrl-C's, or an empty passcode.
  case cancelled
}

/// A connection to signetd: one `SOCK_SEQPACKET` socket, closed when the value ends. Use it from one thread at a time.
///
/// No call blocks without a deadline: the socket is non-blocking, so that even a full backlog or a full send buffer of a
/// stopped helper is an error at once.
public struct Connection: ~Copyable {
  /// For poll(2) beside other descriptors.
  public let descriptor: Int32

  /// Connects to the socket at `path` and checks from the kernel that root, or the caller's own uid, listens there.
  ///
  /// The caller's own uid is let pass because its processes could trace the caller anyway; it makes tests without root
  /// possible.
  public init(path: UnsafePointer<CChar>) throws(ClientError) {
    let descriptor = socket(AF_UNIX, Connection.kind, 0)
    guard descriptor >= 0 else { throw .noHelper(clinux_errno()) }
    guard unsafe clinux_connect_unix(descriptor, path) == 0 else {
      let cause = clinux_errno()
      _ = close(descriptor)
      throw .noHelper(cause)
    }
    var pid: pid_t = 0
    var uid: uid_t = .max
    var gid: gid_t = 0
    guard unsafe clinux_peer(descriptor, &pid, &uid, &gid) == 0, uid == 0 || uid == geteuid() else {
      _ = close(descriptor)
      throw .untrustedHelper(uid)
    }
    self.descriptor = descriptor
  }

  deinit { _ = close(descriptor) }

  private static var kind: Int32 {
    Int32(truncatingIfNeeded: SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  }

  /// Sends one packet.
  public func send(_ packet: borrowing SecretBytes) throws(ClientError) {
    let sent = unsafe packet.span.withUnsafeBytes { bytes in
      unsafe CLinux.send(descriptor, bytes.baseAddress, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    }
    guard sent == packet.span.count else { throw .closed(clinux_errno()) }
  }

  /// Takes one packet that poll(2) has announced; false where there is none after all.
  public func receive(into packet: inout SecretBytes) throws(ClientError) -> Bool {
    let flags = Int32(truncatingIfNeeded: MSG_TRUNC)
    let count = unsafe packet.replace { buffer in unsafe recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    if count < 0 {
      let cause = clinux_errno()
      if cause == EAGAIN || cause == EINTR { return false }
      throw .closed(cause)
    }
    guard count > 0 else { throw .closed(0) }
    guard count <= packet.capacity else { throw .malformed }
    return true
  }
}

/// The clock of every wait in a client.
public enum Clock {
  /// Milliseconds since boot without the time asleep (`CLOCK_MONOTONIC`): after a suspend signetd must have its chance to
  /// say something before it counts as silent. How long a finger is waited for is signetd's to decide.
  public static func milliseconds() -> Int64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return Int64(now.tv_sec) &* 1000 &+ Int64(now.tv_nsec) / 1_000_000
  }
}
