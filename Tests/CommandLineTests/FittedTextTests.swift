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

  @Test func `what cannot be broken stays in one line`() {
    let page = String(repeating: "x", count: 60)
    #expect(FittedText.broken(page, columns: 40) == page)
    #expect(FittedText.broken(String(repeating: " ", count: 30) + "a b c d e f g h", columns: 40).hasSuffix("a b c d e f g h"))
  }
}
