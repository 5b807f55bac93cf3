import SignetBytes
import SignetMemory
import SignetTestKit
import SignetWire
import Testing

/// What must be true of every message, whoever sends it. A crash would end the test process, which nobody can overlook.
@Suite struct RobustnessTests {
  @Test(arguments: Codec.all) func `each message is read as it was written`(codec: Codec) throws {
    for bytes in codec.samples { #expect(try codec.echo(bytes) == bytes) }
  }

  @Test(arguments: Codec.all) func `a message cut at any length is refused`(codec: Codec) {
    for bytes in codec.samples {
      let accepted = bytes.indices.filter { (try? codec.echo(Array(bytes.prefix($0)))) != nil }
      #expect(accepted.isEmpty, "of \(bytes)")
    }
  }

  @Test(arguments: Codec.all) func `bytes behind a message are refused`(codec: Codec) {
    for bytes in codec.samples {
      for more in [[0], [255, 255]] as [[UInt8]] {
        #expect(throws: FormatError.trailing, "\(bytes) and \(more)") { try codec.echo(bytes + more) }
      }
    }
  }

  /// Each message has one encoding. What is accepted is written back bit for bit, so no two packets mean the same.
  @Test(arguments: Codec.all) func `a flipped bit is refused or read as what it says`(codec: Codec) throws {
    for bytes in codec.samples {
      // Of a long packet, which is mostly the inside of a long field, one bit of 13.
      for bit in stride(from: 0, to: bytes.count * 8, by: bytes.count > 1500 ? 13 : 1) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << (bit % 8)
        guard let accepted = try? codec.echo(flipped), accepted != flipped else { continue }
        Issue.record("bit \(bit) of \(bytes) was read as \(accepted)")
      }
    }
  }

  @Test(arguments: Codec.all) func `random bytes are refused or read as what they say`(codec: Codec) throws {
    var random = SeededGenerator(seed: 0x5167_6E65_7400_0001)
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Most random headers are refused at once: half of the packets get a good one, so that the fields are reached.
      if bytes.count > 1, Bool.random(using: &random), let header = codec.samples.randomElement(using: &random) {
        bytes.replaceSubrange(0..<2, with: header.prefix(2))
      }
      guard let accepted = try? codec.echo(bytes), accepted != bytes else { continue }
      Issue.record("\(bytes) was read as \(accepted)")
    }
  }

  @Test(arguments: Codec.all) func `a message of another version is refused`(codec: Codec) {
    for bytes in codec.samples {
      for version: UInt8 in [0, 2, 255] {
        #expect(throws: FormatError.wrongVersion) { try codec.echo([version] + bytes.dropFirst()) }
      }
    }
  }

  @Test(arguments: Codec.all) func `a message fits the packet that carries it`(codec: Codec) {
    let isReaders = codec.name.hasPrefix("Reader")
    for bytes in codec.samples { #expect(bytes.count <= (isReaders ? PacketLimit.readerPacket : PacketLimit.packet)) }
  }
}
