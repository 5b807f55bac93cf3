import Glibc
import SignetBytes
import SignetMemory
import SignetWire

/// The standard error that the program was started with: libFuzzer and targets put another in its place, so that what
/// signetd logs is not among what libFuzzer says.
let standardError = dup(2)

func complain(_ text: String) { _ = write(standardError, text + "\n", text.utf8.count + 1) }

/// Ends the program, which makes libFuzzer keep the input.
func fail(_ text: @autoclosure () -> String) -> Never {
  complain("PROPERTY VIOLATED: " + text())
  abort()
}

func require(_ isTrue: Bool, _ text: @autoclosure () -> String) {
  if !isTrue { fail(text()) }
}

/// The buffer into which messages are written back. Mapping pages for every input would take most of the time.
private nonisolated(unsafe) var output = SecretBytes(capacity: PacketLimit.readerPacket + PacketLimit.packet)!

/// One form for each message: what was read is written back bit for bit.
func requireSame(_ packet: Span<UInt8>, _ what: String, _ write: (inout SecretBytes) throws(FormatError) -> Void) {
  do { try write(&output) } catch { fail("\(what) was read and cannot be written: \(error)") }
  require(equal(output.span, packet), "\(what) was read from \(hex(packet)) and written as \(hex(output.span))")
}

func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in left.indices where left[index] != right[index] { return false }
  return true
}

func hex(_ bytes: Span<UInt8>) -> String {
  bytes.indices.map { index in (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16) }.joined(separator: " ")
}

/// Text for a terminal or a log has no character that moves a cursor or begins a line.
func requirePlain(_ text: String, _ what: String) {
  for scalar in text.unicodeScalars where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
    fail("\(what) holds U+\(String(scalar.value, radix: 16))")
  }
}
