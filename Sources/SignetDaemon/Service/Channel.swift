import CLinux
import Glibc
import SignetMemory

/// Sending and taking packets on a non-blocking `SOCK_SEQPACKET` socket.
package enum Channel {
  package enum Failure: Error {
    /// The other end is gone.
    case closed
    /// The other end does not read: its buffer is full.
    case full
    /// The packet is longer than the buffer.
    case tooLong
  }

  package static func send(_ packet: borrowing SecretBytes, on socket: Int32) throws(Failure) {
    let count = packet.count
    let sent = unsafe packet.span.withUnsafeBytes {
      unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    if sent == count { return }
    throw sent < 0 && clinux_errno() == EAGAIN ? .full : .closed
  }

  /// Takes one packet; false where there is none yet.
  package static func receive(into packet: inout SecretBytes, from socket: Int32) throws(Failure) -> Bool {
    let flags = Int32(MSG_TRUNC | MSG_DONTWAIT)
    let count = unsafe packet.replace { unsafe recv(socket, $0.baseAddress, $0.count, flags) }
    if count < 0, clinux_errno() == EAGAIN || clinux_errno() == EINTR { return false }
    guard count > 0 else { throw .closed }
    guard count <= packet.capacity else { throw .tooLong }
    return true
  }
}
