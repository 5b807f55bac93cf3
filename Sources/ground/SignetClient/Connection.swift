// SignetClient is how a program asks signetd: connecting, checking who answers, and following a request to its end. It is
// compiled twice: normally, and in Embedded Swift inside the PAM module.
import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
  import SignetWire
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
  /// signetd has no place for this request, or took it back for others. A full queue of those who wait to be let in is the same.
  case busy(Crowd)
  /// The user gave up: by a signal such as Ctrl-C's, or an empty passcode.
  case cancelled
}

/// A connection to signetd: one `SOCK_SEQPACKET` socket, closed when the value ends. Use it from one thread at a time.
///
/// No call blocks for long: sending and receiving never, so that a full send buffer of a stopped helper is an error at once,
/// and connecting only where the caller says for how long.
public struct Connection: ~Copyable {
  /// For poll(2) beside other descriptors.
  public let descriptor: Int32

  /// Connects to the socket at `path` and checks from the kernel that root, or the caller's own uid, listens there.
  ///
  /// The caller's own uid is let pass because its processes could trace the caller anyway; it makes tests without root
  /// possible.
  ///
  /// - Parameter waiting: how long to stand in line, in milliseconds, where too many wait to be let in. Whoever stands there is
  ///   told of a place that becomes free; whoever only tries now and then meets those who try all the time.
  public init(path: UnsafePointer<CChar>, waiting: Int = 0) throws(ClientError) {
    let descriptor = socket(AF_UNIX, Connection.kind(isPatient: waiting > 0), 0)
    guard descriptor >= 0 else { throw .noHelper(clinux_errno()) }
    var limit = timeval(tv_sec: waiting / 1_000, tv_usec: waiting % 1_000 &* 1_000)
    let size = socklen_t(truncatingIfNeeded: MemoryLayout<timeval>.size)
    if waiting > 0, unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size) != 0 {
      let cause = clinux_errno()
      _ = close(descriptor)
      throw .noHelper(cause)
    }
    guard unsafe clinux_connect_unix(descriptor, path) == 0 else {
      let cause = clinux_errno()
      _ = close(descriptor)
      throw cause == EAGAIN ? .busy(Connection.ownCrowd) : .noHelper(cause)
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

  /// To nobody: nothing is sent, and nothing comes.
  package init() { descriptor = -1 }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Whose crowd the caller would belong to, where signetd has not said so: a service's where root started the program.
  private static var ownCrowd: Crowd { getuid() == 0 ? .ofServices : .ofAsker }

  private static func kind(isPatient: Bool) -> Int32 {
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue
    return Int32(truncatingIfNeeded: isPatient ? kind : kind | SOCK_NONBLOCK.rawValue)
  }

  /// Sends one packet.
  public func send(_ packet: borrowing SecretBytes) throws(ClientError) {
    let sent = unsafe packet.span.withUnsafeBytes { bytes in
      unsafe CLinux.send(
        descriptor, bytes.baseAddress, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    guard sent == packet.span.count else { throw .closed(clinux_errno()) }
  }

  /// Who takes all places, where the next packet says so; any other packet stays to be received.
  public func announcedCrowd() -> Crowd? {
    var bytes = InlineArray<4, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let flags = Int32(truncatingIfNeeded: MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT)
    var count = unsafe span.withUnsafeMutableBytes { buffer in unsafe recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    // Where signetd closed before it had read everything the kernel tells that first, and once; then comes what was said.
    if count < 0, clinux_errno() == ECONNRESET {
      count = unsafe span.withUnsafeMutableBytes { buffer in unsafe recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    }
    guard count > 0, count <= 4 else { return nil }
    return crowd(in: bytes.span.extracting(first: count))
  }

  /// Which kind of packet comes next; it stays to be received.
  package func announcedKind() -> UInt8? {
    var bytes = InlineArray<2, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let flags = Int32(truncatingIfNeeded: MSG_PEEK | MSG_DONTWAIT)
    let count = unsafe span.withUnsafeMutableBytes { buffer in unsafe recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    return count == 2 ? bytes[1] : nil
  }

  /// Takes one packet that poll(2) has announced; false where there is none after all.
  public func receive(into packet: inout SecretBytes) throws(ClientError) -> Bool {
    let flags = Int32(truncatingIfNeeded: MSG_TRUNC | MSG_DONTWAIT)
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

/// Who takes all places, where this packet says so.
func crowd(in packet: Span<UInt8>) -> Crowd? {
  do throws(FormatError) {
    guard case .busy(let crowd) = try LoginReply(parsing: packet) else { return nil }
    return crowd
  } catch { return nil }
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
