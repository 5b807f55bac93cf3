import SignetBytes
import SignetClient
import SignetMemory
import SignetWire

/// Asks signetd to require the passcode of a user from now on.
struct LockOrder {
  let socket: String

  /// How long signetd may take for it, in milliseconds; it may have to be started first.
  private static let limit: Int32 = 5_000

  /// `nil` where it is done, else why it is not.
  func send(user: String) -> String? {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return "no memory is left" }
    do {
      try AdministrationRequest.lock(user: user).write(into: &packet)
      var terms = Exchange.Terms(silence: LockOrder.limit)
      terms.limit = Int64(LockOrder.limit)
      var request = try PendingRequest(packet, over: Connection(path: socket), terms)
      var host = UnattendedHost()
      _ = try request.next(&host)
      switch try AdministrationReply(parsing: request.packet.span) {
      case .done: return nil
      case .refused(let refusal): return "refused: \(refusal)"
      case let other: return "an answer to something else: \(other)"
      }
    } catch {
      return "signetd does not answer at \(socket): \(error)"
    }
  }
}
