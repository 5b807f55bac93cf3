import SignetBytes
import SignetClient
import Testing

/// A command as its user typed it, on one line.
@Suite struct TypedCommandTests {
  private func shown(_ words: [String], limit: Int = 40) -> String {
    var line = TextLine()
    TypedCommand.put(Array(words.flatMap { Array($0.utf8) + [0] }).span, limit: limit, into: &line)
    return String(decoding: Array(copying: line.span), as: UTF8.self)
  }

  @Test func `words stand as they were typed`() {
    #expect(shown(["sudo", "apt", "upgrade"]) == "sudo apt upgrade")
    #expect(shown(["sudo", "", "x", ""]) == "sudo  x")
    #expect(shown([]) == "")
  }

  @Test func `a long command is cut in the middle`() {
    let command = shown(["sudo", "tool", String(repeating: "a", count: 100), "/etc/passwd"])
    #expect(command.utf8.count == 40)
    #expect(command.hasPrefix("sudo tool aaaa") && command.contains("...") && command.hasSuffix("/etc/passwd"))
    #expect(shown(["123456789", "123456789"], limit: 19) == "123456789 123456789")
  }

  @Test func `what would move the cursor or is no plain text is not shown`() {
    #expect(shown(["sudo", "a\u{1B}[2Jb\r\nc\u{7F}"]) == "sudo a?[2Jb??c?")
    #expect(shown(["sudo", "é漢\u{202E}"]) == "sudo ???")
  }

  @Test(arguments: 0...60) func `every limit is kept`(limit: Int) {
    #expect(shown(["sudo", "é漢字", String(repeating: "語", count: 30)], limit: limit).utf8.count <= max(3, limit))
  }
}
