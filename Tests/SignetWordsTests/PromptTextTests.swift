import SignetBytes
import SignetVocabulary
import SignetWords
import Testing

@Suite struct PromptTextTests {
  private func words(_ prompt: Prompt, _ value: UInt8 = 0, enter: Bool = false) -> String {
    var line = TextLine()
    PromptText.write(prompt, value: value, detail: [UInt8]().span, enterAsksPasscode: enter, into: &line)
    return line.withCString { String(cString: $0) }
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

  @Test func `each reason not to use the reader has words of its own`() {
    #expect(Set((0...6).map { words(.readerUnavailable, $0) }).count == 7)
    #expect(words(.readerUnavailable, 3) == "The fingerprint reader is held by another program")
    #expect(words(.readerUnavailable, 2) == "The fingerprint reader is not used while the lid is closed")
    #expect(words(.readerUnavailable, 4) == "Your fingers were enrolled as somebody else: see `signet list`")
    #expect(words(.readerUnavailable, 6) == "No finger can be taken: the disk is full or cannot be written")
    #expect(words(.readerUnavailable, 77) == "The fingerprint reader is not available")
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

  @Test(arguments: [(1, "in 1 minute"), (5, "in 5 minutes"), (127, "in 127 minutes"), (129, "in 1 second"), (0, "later")])
  func `a wait for the next passcode is told in minutes, and a short one in seconds`(value: UInt8, words expected: String) {
    #expect(words(.passcodeDelayed, value) == "Too many wrong passcodes. Try again \(expected)")
  }
}
