import Foundation
import SignetClient
import Testing

@testable import SignetCommandLine

/// Help texts in languages whose letters take two columns.
@Suite struct FittedTextTests {
  /// With the widths of letters that a terminal has.
  private func broken(_ text: String, columns: Int = 40) throws -> [String] {
    let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    let lines = FittedText.broken(text, columns: columns).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    for line in lines { #expect(line.columns <= columns, "\(line.columns): \(line)") }
    return lines
  }

  @Test func `a text is broken at blanks where it has them`() throws {
    #expect(
      try broken("손가락을 등록하고 무엇이 잠겼는지 보고 비밀을 보관합니다") == ["손가락을 등록하고 무엇이 잠겼는지 보고", "비밀을 보관합니다"])
    #expect(try broken("short\n\n  too") == ["short", "", "  too"])
  }

  @Test func `Chinese and Japanese are broken between letters, but not before a full stop`() throws {
    #expect(try broken("指紋リーダーの上で指をスライドしてくださ。また") == ["指紋リーダーの上で指をスライドしてくだ", "さ。また"])
    #expect(try broken("指紋リーダーの上で指をスライドしてください。また") == ["指紋リーダーの上で指をスライドしてくださ", "い。また"])
  }

  @Test func `what is said of an option goes on below where it began`() throws {
    #expect(
      try broken("  --json            プログラムのために英語の JSON を印刷する", columns: 44)
        == ["  --json            プログラムのために英語の", "                    JSON を印刷する"])
  }

  @Test func `a command at the end stays in one row where it has room, so that it can be copied`() throws {
    let notice = "No login asks Signet yet. Switch it on: sudo pam-auth-update --enable signet"
    let command = "sudo pam-auth-update --enable signet"
    #expect(try broken(notice) == ["No login asks Signet yet. Switch it on:", command])
    #expect(FittedText.labelled("Logins: ", notice, columns: 60).hasSuffix("Switch it on:\n        \(command)"))
    #expect(FittedText.labelled("Logins: ", notice, columns: 40).hasSuffix("it on:\n    \(command)"))
    #expect(try broken(notice, columns: 30).suffix(2) == ["pam-auth-update --enable", "signet"])
  }

  @Test func `what cannot be broken stays in one line`() {
    let page = String(repeating: "x", count: 60)
    #expect(FittedText.broken(page, columns: 40) == page)
  }

  @Test func `what begins too far right goes on near the left`() {
    let blanks = String(repeating: " ", count: 30)
    #expect(FittedText.broken(blanks + "one two three", columns: 40) == blanks + "one two\n    three")
    #expect(FittedText.labelled(blanks, "-> one two three", columns: 40) == "    -> one two three")
  }
}
