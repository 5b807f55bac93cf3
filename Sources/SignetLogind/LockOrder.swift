import SignetBytes
import SignetClient
import SignetMemory
import SignetWire

/// Asks signetd to require the passcode of a user from now on.
struct LockOrder {
  let socket: String

  /// How long signetd may take for it, in milliseconds; it may have to be started first.
  private static let limit: Int64 = 5_000

  /// `nil` where it is done, else why it is not.
  func send(user: String) -> String? {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return "no memory is left" }
    do {
      let connection = try Connection(path: socket)
      try AdministrationRequest.lock(user: user).write(into: &packet)
      try connection.send(packet)
      let deadline = Clock.milliseconds() + LockOrder.limit
      while true {
        try connection.receive(into: &packet, within: Int32(clamping: deadline - Clock.milliseconds()))
        switch try LockOrder.reply(in: packet) {
        case .done: return nil
        case .refused(let refusal): return "refused: \(refusal)"
        case .heartbeat: continue
        case let other: return "an answer to something else: \(other)"
        }
      }
    } catch {
      return "signetd does not answer at \(socket): \(error)"
    }
  }

  private static func reply(in packet: borrowing SecretBytes) throws(FormatError) -> AdministrationReply {
    try AdministrationReply(parsing: packet.span)
  }
}
