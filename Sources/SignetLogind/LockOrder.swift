import SignetBytes
import SignetClient
import SignetMemory
import SignetWire

/// Asks signetd to require the passcode of a user from now on.
struct LockOrder {
  let socket: String

  /// How long signetd may take for it, in milliseconds; it may have to be started first.
  private static let limit: Int32 = 5_000

  enum Outcome: Equatable {
    case done
    /// signetd will not do it, and why.
    case refused(String)
    /// signetd was not to be reached, or did not decide, and why: it is worth another try.
    case undecided(String)
  }

  func send(user: String) -> Outcome {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return .undecided("no memory is left") }
    do {
      try AdministrationRequest.lock(user: user).write(into: &packet)
      var terms = Exchange.Terms(silence: LockOrder.limit)
      terms.limit = Int64(LockOrder.limit)
      var request = try PendingRequest(packet, to: socket, terms)
      var host = UnattendedHost()
      _ = try request.next(&host)
      switch try AdministrationReply(parsing: request.packet.span) {
      case .done: return .done
      case .refused(let refusal): return .refused("refused: \(refusal)")
      case let other: return .undecided("an answer to something else: \(other)")
      }
    } catch {
      return .undecided("signetd does not answer at \(socket): \(error)")
    }
  }
}
