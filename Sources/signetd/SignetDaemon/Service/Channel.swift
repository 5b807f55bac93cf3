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

  /// Sends what is no secret, and does not care whether it arrives.
  package static func offer(_ packet: [UInt8], on socket: Int32) {
    _ = unsafe Glibc.send(socket, packet, packet.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  /// Lets nothing more in and throws away what was not read yet; the other end still hears what is sent.
  ///
  /// A socket that is closed with something unread destroys what was said to the other end (unix(7), `ECONNRESET`).
  package static func stopReading(from socket: Int32) {
    shutdown(socket, Int32(SHUT_RD))
    var byte: UInt8 = 0
    // A client has one or two packets under way. Whoever fills the queue loses the answer, and not our time.
    for _ in 0..<4 where unsafe recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) <= 0 { return }
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
