import SignetBytes
import SignetMemory
import SignetTestKit
import SignetWire

/// What the scripts send that stand in the place of signetd's programs.
extension Scene {
  /// A line of a replacement's script that sends this packet on its channel.
  func sending(_ event: ReaderEvent) throws -> String { try sending { packet in try event.write(into: &packet) } }

  func sending(_ write: (inout SecretBytes) throws -> Void) throws -> String {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
    try write(&packet)
    return sending(Array(copying: packet.span))
  }

  func sending(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { byte in "\\" + String(byte / 64) + String(byte / 8 % 8) + String(byte % 8) }.joined()
    return "printf '\(digits)' >&0"
  }
}
