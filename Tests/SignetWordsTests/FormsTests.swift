import SignetBytes
import SignetVocabulary
import SignetWords
import Testing

/// The forms of a sentence for a number, a finger or a reason: each is a sentence of its own.
@Suite struct FormsTests {
  @Test(
    arguments: [
      (0, 0, false, "0 items"), (1, 0, false, "1 item"), (2, 0, false, "2 items"), (1, 1, false, "1 item, 1 of them lost"),
      (3, 1, false, "3 items, 1 of them lost"), (1, 0, true, "1 item with the login secret"),
      (12, 2, true, "12 items with the login secret, 2 of them lost"),
    ])
  func `items are counted`(items: Int, lost: Int, hasLoginSecret: Bool, words: String) {
    #expect(ItemText.count(items, lost: lost, hasLoginSecret: hasLoginSecret) == words)
  }

  private func prompt(_ prompt: Prompt, _ value: UInt8, _ detail: String = "", enter: Bool = false) -> String {
    var line = TextLine()
    PromptText.write(prompt, value: value, detail: detail.utf8.span, enterAsksPasscode: enter, into: &line)
    return line.withCString { String(cString: $0) }
  }

  @Test func `attempts and minutes have their number, or none`() {
    #expect(prompt(.notRecognised, 0) == "Fingerprint not recognised")
    #expect(prompt(.notRecognised, 1) == "Fingerprint not recognised, 1 attempt left")
    #expect(prompt(.notRecognised, 255) == "Fingerprint not recognised, 255 attempts left")
    #expect(prompt(.passcodeDelayed, 0) == "Too many wrong passcodes. Try again later")
    #expect(prompt(.passcodeDelayed, 1) == "Too many wrong passcodes. Try again in 1 minute")
    #expect(prompt(.passcodeDelayed, DelayForm.value(of: 0)) == "Too many wrong passcodes. Try again later")
    #expect(prompt(.passcodeDelayed, DelayForm.value(of: 1)) == "Too many wrong passcodes. Try again in 1 second")
    #expect(prompt(.passcodeDelayed, DelayForm.value(of: 119)) == "Too many wrong passcodes. Try again in 119 seconds")
    #expect(prompt(.passcodeDelayed, DelayForm.value(of: 121)) == "Too many wrong passcodes. Try again in 3 minutes")
    #expect(DelayForm.value(of: .max) == 127)
    #expect(prompt(.passcodeDelayed, 60) == "Too many wrong passcodes. Try again in 60 minutes")
  }

  @Test func `a wrong passcode has its number, and who wants whose secret both names or none`() {
    #expect(prompt(.wrongPasscode, 0) == "Wrong passcode")
    #expect(prompt(.wrongPasscode, 1) == "Wrong passcode, 1 attempt left")
    #expect(prompt(.wrongPasscode, 2) == "Wrong passcode, 2 attempts left")
    #expect(prompt(.consent, 0, "backup\nmail") == "backup wants to use what mail stored")
    let long = String(repeating: "x", count: 60)
    #expect(prompt(.consent, 0, "\(long)\n\(long)") == "\(long) wants to use what \(long) stored")
    for detail in ["", "backup", "backup\n", "\nmail", "back\u{1B}up\nmail", "backup\nma\nil"] {
      #expect(prompt(.consent, 0, detail) == "A program wants to use what another one stored", "\(detail)")
    }
  }

  @Test func `a reader is touched or swiped, and Enter is named where it is watched`() {
    #expect(prompt(.touchReader, 0) == "Touch the fingerprint reader")
    #expect(
      prompt(.touchReader, 1, enter: true) == "Swipe your finger across the fingerprint reader (press Enter for the passcode)")
    #expect(prompt(.touchReader, 0x70) == "Touch the fingerprint reader with your right index finger")
    #expect(
      prompt(.touchReader, 0x11, enter: true)
        == "Swipe your left thumb across the fingerprint reader (press Enter for the passcode)")
    #expect(prompt(.touchReader, 0xB0) == "Touch the fingerprint reader")
    #expect(String(copying: PromptText.either(0xA0)) == "Touch the reader with your right little finger or enter your passcode: ")
    #expect(prompt(.touchReader, 0, "Goodix / Elan") == "Touch the fingerprint reader: Goodix / Elan")
    #expect(prompt(.touchReader, 0, "Goodix\u{1B}[2J") == "Touch the fingerprint reader")
  }

  @Test func `who holds the reader is named whole or not at all`() {
    #expect(prompt(.readerBusy, 0, "su#do") == "The fingerprint reader is in use by su#do")
    let (longest, longer) = (String(repeating: "x", count: 219), String(repeating: "x", count: 220))
    #expect(prompt(.readerBusy, 0, longest).utf8.count == TextLine.limit)
    #expect(prompt(.readerBusy, 0, longer) == "The fingerprint reader is in use")
  }

  @Test func `all reasons of a lock are told apart, at a login and afterwards`() {
    let reasons = (UInt8.min...UInt8.max).compactMap(LockReason.init)
    #expect(Set(reasons.map { "\(LockText.prompt($0))" }).count == reasons.count)
    #expect(Set(reasons.map(LockText.event)).count == reasons.count)
    let shown = reasons.map { LockText.status($0, of: "alice", limit: 5, fault: .strikesMissing("/strikes")) }
    // Two of them are of one login only.
    #expect(Set(shown).count == reasons.count - 2)
  }
}
