import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire

@testable import SignetClient

/// A packet of signetd, to be received as often as wanted.
final class Reply: Sendable {
  let packet: SecretBytes

  init(_ bytes: [UInt8]) { packet = secret(bytes) }

  static let token = [UInt8](repeating: 7, count: FieldLimit.token)

  static let heartbeat = Reply(Packet.heartbeat)
  static let touch = Reply(Packet.show(.touchReader))
  static let heldReader = Reply(Packet.show(.readerBusy, detail: Array("login".utf8)))
  static let wanted = Reply(Packet.askPasscode(.userFallback))
  static let byFinger = Reply(Packet.success(.fingerprint, token: token))
  static let byPasscode = Reply(Packet.success(.passcode, token: token))
  static let failure = Reply(Packet.refusal(.authenticationFailed))
  static let done = Reply(Packet.done)
  static let refused = Reply(Packet.refused(.cancelled))
  static let row = Reply([1, ReplyKind.row.rawValue, 1])
  static let crowded = Reply(Packet.busy(.ofAsker))
  static let crowdedByServices = Reply(Packet.busy(.ofServices))
  static let nonsense = Reply([1, 99])
}

/// The bytes, in a buffer of a packet's size.
func secret(_ bytes: [UInt8]) -> SecretBytes {
  var packet = SecretBytes(capacity: PacketLimit.packet)!
  _ = packet.append(bytes.span)
  return packet
}

extension Exchange.Terms {
  /// As the module asks for a login.
  static var login: Exchange.Terms {
    var terms = Exchange.Terms(silence: 900)
    terms.limit = 32_000
    terms.passcodeLimit = 60_000
    terms.passcodes = 1
    terms.ending = .verdict
    return terms
  }

  /// As the command line verifies a finger.
  static var verification: Exchange.Terms {
    var terms = Exchange.Terms(silence: 5_000)
    terms.farewell = 1_000
    terms.ending = .verdict
    return terms
  }

  /// As the command line asks for anything else.
  static var command: Exchange.Terms {
    var terms = Exchange.Terms(silence: 5_000)
    terms.farewell = 1_000
    terms.passcodes = 2
    return terms
  }
}

extension Exchange {
  mutating func received(_ reply: Reply, at now: Int64) throws(ClientError) -> Action {
    try received(reply.packet, at: now)
  }
}
