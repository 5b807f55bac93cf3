import SignetMemory
import SignetVocabulary
import SignetWire

/// A value as it comes from signetd.
struct ReleasedValue: ~Copyable {
  private var bytes: SecretBytes
  /// The length of the whole, once a part has come.
  private var total: UInt32?

  var span: Span<UInt8> {
    @_lifetime(borrow self) get { bytes.span }
  }

  private init() throws(CommandFailure) { bytes = try orExhausted(SecretBytes(capacity: ItemLimit.value)) }

  /// Asks for the item's value, and returns it whole.
  static func of(_ name: ItemName, user: String, at socket: String) throws(CommandFailure) -> ReleasedValue {
    var dialogue = try Dialogue(VaultRequest.read(user: user, name), at: socket, offersPasscode: true)
    var value = try ReleasedValue()
    while true {
      guard let reply = try dialogue.next() else {
        try value.append(dialogue.packet)
        continue
      }
      guard reply == .done, value.isWhole else { throw .unexpectedReply }
      return value
    }
  }

  /// The value alone.
  consuming func taken() -> SecretBytes { bytes }

  private var isWhole: Bool { total.map { Int($0) == bytes.count } ?? false }

  private mutating func append(_ packet: borrowing SecretBytes) throws(CommandFailure) {
    guard !isWhole, let reply = try? ValueReply(parsing: packet.span), total == nil || total == reply.total,
      bytes.append(reply.part), bytes.count <= Int(reply.total)
    else { throw .unexpectedReply }
    total = reply.total
  }
}
