import Foundation
import Testing

/// One vector: a packet, and what a peer must make of it.
struct Vector: Sendable, CustomTestStringConvertible {
  let name: String
  let message: String
  /// `accept`, or the `FormatError` that refuses it.
  let expected: String
  let bytes: [UInt8]

  var testDescription: String { name }

  /// Every vector of the files beside this one; a line that is not understood ends the run.
  static let all: [Vector] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "vectors")
    let files = try! FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return files.sorted { $0.path < $1.path }.flatMap { file in
      vectors(in: try! String(contentsOf: file, encoding: .utf8))
    }
  }()

  private static func vectors(in text: String) -> [Vector] {
    let blocks = text.split(separator: "\n\n").map { block in
      block.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    return blocks.filter { !$0.isEmpty }.map { lines in
      let pairs = lines.map { line in
        let parts = line.split(separator: ": ", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      }
      let values = Dictionary(uniqueKeysWithValues: pairs)
      return Vector(
        name: values["vector"]!, message: values["message"]!, expected: values["expect"]!, bytes: bytes(values["hex"]!))
    }
  }

  static func bytes(_ hex: String) -> [UInt8] { hex.split(separator: " ").map { UInt8($0, radix: 16)! } }
}

@Suite struct VectorTests {
  @Test(arguments: Vector.all) func `a vector has its outcome`(vector: Vector) throws {
    let codec = try #require(Codec.all.first { $0.name == vector.message })
    do {
      let echoed = try codec.echo(vector.bytes)
      #expect(vector.expected == "accept")
      #expect(echoed == vector.bytes)
    } catch {
      #expect(vector.expected == "\(error)")
    }
  }

  @Test func `every message has a vector that is accepted and one that is refused`() {
    for codec in Codec.all {
      let outcomes = Vector.all.filter { $0.message == codec.name }.map(\.expected)
      #expect(outcomes.contains("accept") && outcomes.contains { $0 != "accept" }, "\(codec.name)")
    }
  }

  @Test func `every refusal has a vector`() {
    let outcomes = Set(Vector.all.map(\.expected))
    #expect(outcomes == ["accept", "truncated", "trailing", "tooLong", "wrongVersion", "badValue"])
  }
}
