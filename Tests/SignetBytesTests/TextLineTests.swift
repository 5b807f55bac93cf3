import SignetBytes
import SignetTestKit
import Testing

// Of bytes, because #expect cannot hold a Span.
private func isHarmless(_ bytes: [UInt8]) -> Bool { ForeignText.isHarmless(bytes.span) }

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
      let isPrinted = isHarmless(Array(String(scalar).utf8))
      #expect(isPrinted == ForeignText.isHarmless(number))
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
        #expect(!isPrinted, "U+\(String(number, radix: 16))")
      case .nonspacingMark, .unassigned:
        // What nobody sees, but for what makes an emoji of a sign.
        if scalar.properties.isDefaultIgnorableCodePoint, !(0xFE00...0xFE0F ~= number) {
          #expect(!isPrinted, "U+\(String(number, radix: 16))")
        }
        if scalar.properties.isNoncharacterCodePoint { #expect(!isPrinted, "U+\(String(number, radix: 16))") }
      default: #expect(isPrinted, "U+\(String(number, radix: 16))")
      }
      if isControl || isSeparator || scalar.properties.isBidiControl { #expect(!isPrinted, "U+\(String(number, radix: 16))") }
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        #expect(isPrinted, "U+\(String(number, radix: 16))")
      }
    }
  }

  @Test func `bytes that are no UTF-8 are not harmless`() {
    // Each lead byte with each second byte, and some of what may follow.
    for lead in UInt8(0x60)...0xFF {
      for second in UInt8(0x60)...0xFF {
        for rest: [UInt8] in [[], [0x80], [0xBF], [0x80, 0x80], [0x8F, 0xBF], [0x41], [0xC3, 0xA9]] {
          let bytes = [lead, second] + rest
          if isHarmless(bytes) { #expect(String(validating: bytes, as: UTF8.self) != nil, "\(bytes)") }
        }
      }
    }
    for bytes: [UInt8] in [
      [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
    ] {
      #expect(!isHarmless(bytes), "\(bytes)")
    }
  }

  @Test(arguments: ForeignTextVector.all) func `each text is judged, and made harmless`(vector: ForeignTextVector) {
    #expect(isHarmless(Array(vector.text.utf8)) == vector.isHarmless)
    let shown = ForeignText.harmless(vector.text)
    #expect(vector.isHarmless ? shown == vector.text : vector.expects(shown))
    #expect(vector.isHarmless || shown.contains("\u{FFFD}"))
    let inLog = ForeignText.harmless(vector.text + "\"", replacement: "?", inQuotes: true)
    #expect(vector.isHarmless ? inLog == vector.text + "?" : vector.expects(inLog))
    let json = ForeignText.harmless(json: vector.text.filter { $0 != "\n" })
    #expect(vector.isHarmless ? json == vector.text : vector.expects(json))
  }
}
