import SignetBytes
import Testing

@Suite struct TextSearchTests {
  @Test(arguments: [("abc", "abc"), ("xxabc", "abc"), ("aab", "ab"), ("ab\u{e9}", "\u{e9}"), ("any", "")])
  func `a text is found where it stands`(text: String, part: String) throws {
    let place = try #require(text.place(of: part))
    #expect(text[place] == part && text.includes(part) && text.dropFirst(0).includes(part))
  }

  @Test(arguments: [("", "a"), ("ab", "abc"), ("abd", "abc"), ("K", "\u{212a}"), ("e\u{301}", "\u{e9}")])
  func `what Unicode calls equivalent is another text`(text: String, part: String) { #expect(!text.includes(part)) }

  @Test func `the first of several places is told`() { #expect([1, 2, 1, 2].place(of: [UInt8]([1, 2])) == 0..<2) }
}
