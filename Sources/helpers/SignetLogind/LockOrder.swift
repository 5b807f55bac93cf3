import CLinux

#if !hasFeature(Embedded)
  import Glibc
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

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
    guard let packet = LockOrder.packet(user: user) else { return .undecided("no memory is left") }
    do throws(ClientError) {
      var terms = Exchange.Terms(silence: LockOrder.limit)
      terms.limit = Int64(LockOrder.limit)
      var request = try PendingRequest(packet, to: socket, terms)
      var host = UnattendedHost()
      _ = try request.next(&host)
      return LockOrder.outcome(request.packet.span)
    } catch {
      return .undecided("signetd does not answer at \(socket): \(LockOrder.words(error))")
    }
  }

  private static func packet(user: String) -> SecretBytes? {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return nil }
    do throws(FormatError) { try AdministrationRequest.lock(user: user).write(into: &packet) } catch { return nil }
    return packet
  }

  private static func outcome(_ packet: Span<UInt8>) -> Outcome {
    guard let reply = try? AdministrationReply(parsing: packet) else { return .undecided("an answer that is none") }
    switch reply {
    case .done: return .done
    case .refused(let refusal): return .refused("refused: \(words(refusal))")
    default: return .undecided("an answer to something else")
    }
  }

  /// Why signetd does not lock; `signet lock` has sentences for the rest of what it may say.
  private static func words(_ refusal: Refusal) -> String {
    switch refusal {
    case .otherUser: "signetd takes this from root and the user signet-logind only, and where lock_with_session is on"
    case .lockSwitchedOff: "passcode_after_lock is off"
    case .unknownUser, .unknownUID: "signetd does not know the user"
    case .stateUnusable: "the user's state cannot be used; signetd's log says why"
    case .lockNotKept: "the lock holds until signetd ends, and not longer; signetd's log says why"
    default: "signetd's refusal \(refusal.code.rawValue)"
    }
  }

  private static func words(_ error: ClientError) -> String {
    switch error {
    case .noHelper(let code): words(code)
    case .untrustedHelper(let uid): "uid \(uid) listens there, who is not believed"
    case .closed(let code): code == 0 ? "it closed the connection" : words(code)
    case .silent: "it says nothing"
    case .overdue: "it does not decide"
    case .malformed: "its answer is none"
    case .busy: "it is busy"
    case .cancelled: "cancelled"
    }
  }

  private static func words(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
