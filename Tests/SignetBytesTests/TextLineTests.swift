import SignetBytes
import Testing

// Of bytes, because #expect cannot hold a Span.
private func isPrintable(_ bytes: [UInt8]) -> Bool { SignetBytes.isPrintable(bytes.span) }

private func put(_ bytes: [UInt8], into line: inout TextLine) -> Bool { line.put(foreign: bytes.span) }

private func text(_ line: borrowing TextLine) -> String { line.withCString { String(cString: $0) } }

@Suite struct TextLineTests {
  @Test(arguments: [0, 1, 9, 10, 99, 100, 1_000_000, Int.max, -1, Int.min])
  func `numbers are written as Swift writes them`(number: Int) {
    var line = TextLine("n = ")
    line.put(number)
    let words = text(line)
    #expect(words == "n = \(number)")
  }

  @Test func `what does not fit is left out`() {
    var line = TextLine()
    for _ in 0..<300 { line.put(UInt8(ascii: "x")) }
    let words = text(line)
    #expect(words == String(repeating: "x", count: TextLine.limit))
  }

  @Test func `foreign text is taken whole or not at all`() {
    var line = TextLine()
    for _ in 0..<250 { line.put(UInt8(ascii: "x")) }
    let taken = [put(Array("sixsix".utf8), into: &line), put(Array("five5".utf8), into: &line), put([], into: &line)]
    #expect(taken == [false, true, false])
    let words = text(line)
    #expect(words.hasSuffix("xfive5") && words.count == 255)
  }

  @Test func `every scalar is judged as Unicode has it`() {
    for number in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let isControl = scalar.properties.generalCategory == .control
      let isSeparator = [.lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      let isPrinted = isPrintable(Array(String(scalar).utf8))
      if isControl || isSeparator || scalar.properties.isBidiControl { #expect(!isPrinted, "U+\(String(number, radix: 16))") }
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        #expect(isPrinted, "U+\(String(number, radix: 16))")
      }
    }
  }

  @Test func `bytes that are no UTF-8 are not printable`() {
    // Each lead byte with each second byte, and some of what may follow.
    for lead in UInt8(0x60)...0xFF {
      for second in UInt8(0x60)...0xFF {
        for rest: [UInt8] in [[], [0x80], [0xBF], [0x80, 0x80], [0x8F, 0xBF], [0x41], [0xC3, 0xA9]] {
          let bytes = [lead, second] + rest
          if isPrintable(bytes) { #expect(String(validating: bytes, as: UTF8.self) != nil, "\(bytes)") }
        }
      }
    }
    for bytes: [UInt8] in [
      [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
    ] {
      #expect(!isPrintable(bytes), "\(bytes)")
    }
  }
}
