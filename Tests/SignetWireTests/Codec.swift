import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire
import Testing

/// A message type as the tests see it: bytes in, parsed, written again, bytes out.
struct Codec: Sendable, CustomTestStringConvertible {
  let name: String
  let echo: @Sendable ([UInt8]) throws(FormatError) -> [UInt8]
  /// Packets of this type that must be accepted, every case and the bounds of every field among them.
  let samples: [[UInt8]]

  var testDescription: String { name }

  static let all: [Codec] = [
    authenticate, passcode, openSession, closeSession, loginReply, administrationRequest, administrationReply, passcodeStack,
    passcodeCheck,
    passcodeQuestion, accountQuestion, passcodeAnswer, tpmRequest, tpmAnswer, readerCommand, readerEvent, vaultRequest, value,
    valueReply,
    passcodeChanged,
    context, evaluate, canEvaluate, watch, watchVault, forget, evaluated, policyRow, biometryRow, openingRow,
    onBehalf, introspect, revokeOthers, issueToken, refreshToken, endRefresh, sealingKey, issued, sealingKeyReply,
  ]
}

/// The bytes that `write` puts into a packet.
func written(
  capacity: Int = PacketLimit.packet, _ write: (inout SecretBytes) throws(FormatError) -> Void
) throws(FormatError) -> [UInt8] {
  guard var packet = SecretBytes(capacity: capacity) else { throw .tooLong }
  try write(&packet)
  return Array(copying: packet.span)
}

/// The bytes of a sample, which must be writable.
func sample(_ write: (inout SecretBytes) throws(FormatError) -> Void) -> [UInt8] {
  do { return try written(write) } catch { fatalError("a sample cannot be written: \(error)") }
}

func text(_ count: Int) -> String { String(repeating: "x", count: count) }

/// The fields behind a header of this kind.
@_lifetime(copy packet)
func fields(of kind: RequestKind, in packet: Span<UInt8>) throws(FormatError) -> ByteReader {
  var fields = ByteReader(packet)
  guard try fields.header() == kind.rawValue else { throw .badValue }
  return fields
}
