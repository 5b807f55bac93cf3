import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

/// Packets that are the same for everybody, made once: whoever sends them has no time.
enum ConstantPacket {
  static let heartbeat = bytes(of: .heartbeat)
  private static let busyForServices = bytes(of: .busy(.ofServices))
  private static let busyForAsker = bytes(of: .busy(.ofAsker))

  static func busy(_ crowd: Crowd) -> [UInt8] { crowd == .ofServices ? busyForServices : busyForAsker }

  private static func bytes(of reply: consuming LoginReply) -> [UInt8] {
    guard var packet = SecretBytes(capacity: 8), (try? reply.write(into: &packet)) != nil else { return [] }
    return Array(copying: packet.span)
  }
}
