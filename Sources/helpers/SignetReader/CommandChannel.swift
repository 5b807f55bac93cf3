import CLinux
import Glibc
import SignetMemory
import SignetWire

/// signetd closed its end of the channel, or sent something that is no command.
enum ChannelError: Error {
  case ended
  case malformed(String)
}

/// The socketpair to signetd: each packet is one command or event. Only the loop's thread may use it.
final class CommandChannel {
  let descriptor: Int32
  private var incoming: SecretBytes
  private var outgoing: SecretBytes

  /// Whether the descriptor is a packet socket. Other sockets may split a packet or join two.
  static func isSuitable(_ descriptor: Int32) -> Bool {
    var kind: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 && kind == Int32(SOCK_SEQPACKET.rawValue)
  }

  init(descriptor: Int32) {
    self.descriptor = descriptor
    guard let incoming = SecretBytes(capacity: PacketLimit.readerPacket),
      let outgoing = SecretBytes(capacity: PacketLimit.readerPacket)
    else { fatalError("no memory for the channel's buffers") }
    self.incoming = incoming
    self.outgoing = outgoing
  }

  /// Shuts the channel down for both sides.
  func abandon() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The next command; `nil` where none is waiting.
  func receive() throws(ChannelError) -> ReaderCommand? {
    let flags = Int32(MSG_DONTWAIT | MSG_TRUNC)
    let count = incoming.replace { buffer in recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    if count < 0 {
      let cause = clinux_errno()
      if cause == EAGAIN || cause == EINTR { return nil }
      throw .ended
    }
    guard count > 0 else { throw .ended }
    guard count <= incoming.capacity else { throw .malformed("a packet of \(count) bytes") }
    defer { incoming.removeAll() }
    do {
      return try ReaderCommand(parsing: incoming.span)
    } catch {
      throw .malformed("a packet that is no command (\(error))")
    }
  }

  /// Sends an event. If the channel is closed, the next `receive` notices.
  func send(_ event: ReaderEvent) {
    do {
      try event.write(into: &outgoing)
    } catch {
      log(.error, "channel", "an event did not fit a packet (\(error))")
      return
    }
    defer { outgoing.removeAll() }
    guard transmit(outgoing) < 0 else { return }
    let cause = clinux_errno()
    if cause != EPIPE { log(.warning, "channel", "sending: \(String(cString: strerror(cause)))") }
  }

  private func transmit(_ packet: borrowing SecretBytes) -> Int {
    packet.span.withUnsafeBytes { CLinux.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
