import SignetClient
import SignetWire
import Testing

// Of bytes, because #expect cannot hold a Span.
private func isPrintable(_ bytes: [UInt8]) -> Bool { SignetClient.isPrintable(bytes.span) }

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

@Suite struct PromptTextTests {
  private func words(_ prompt: Prompt, _ value: UInt8 = 0, enter: Bool = false) -> String {
    var line = TextLine()
    PromptText.write(prompt, value: value, detail: [UInt8]().span, enterAsksPasscode: enter, into: &line)
    return text(line)
  }

  @Test func `every prompt with every value has short words`() throws {
    for number in UInt8.min...UInt8.max {
      guard let prompt = Prompt(rawValue: number) else { continue }
      for value in UInt8.min...UInt8.max {
        let words = words(prompt, value)
        #expect(!words.isEmpty && words.count <= 80 && !words.contains("  "), "\(prompt) \(value): \(words)")
      }
    }
  }

  @Test func `Enter is offered where it is watched, and only with the reader`() {
    #expect(words(.touchReader, enter: true) == "Touch the fingerprint reader (press Enter for the passcode)")
    #expect(words(.touchReader) == "Touch the fingerprint reader")
    #expect(!words(.notRecognised, 2, enter: true).contains("Enter"))
  }

  @Test func `each reason to scan again has words of its own`() {
    let reasons: [ScanRetry] = [.tooShort, .centerFinger, .removeFinger, .tooFast]
    #expect(Set(reasons.map { words(.scanAgain, $0.rawValue) }).count == reasons.count)
    #expect(words(.scanAgain, 77) == "Scan again")
  }

  @Test func `each reason that requires the passcode has words of its own`() {
    let reasons: [LockReason] = [.strikes, .stateUnusable, .restart, .inactivity, .passcodeAge, .requested]
    #expect(Set(reasons.map { words(.locked, $0.rawValue) }).count == reasons.count)
    #expect(words(.locked, LockReason.restart.rawValue) == "Your passcode is required after a restart")
    #expect(words(.locked, 77) == "Your passcode is required")
    for value in UInt8.min...UInt8.max { #expect(words(.locked, value).contains("our passcode"), "\(value)") }
  }

  @Test(arguments: [(1, "in 1 minute"), (5, "in 5 minutes"), (255, "in 255 minutes"), (0, "later")])
  func `a wait for the next passcode is told in minutes`(minutes: UInt8, words expected: String) {
    #expect(words(.passcodeDelayed, minutes) == "Too many wrong passcodes. Try again \(expected)")
  }
}
