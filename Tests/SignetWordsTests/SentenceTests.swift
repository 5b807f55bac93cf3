import Testing

@testable import SignetLanguage

/// A sentence, its name in the catalogues, and what of a translation is said.
@Suite struct SentenceTests {
  private let path = "/a"
  private let cause = "it is gone"

  private var opened: Sentence { "\(path) cannot be opened: \(cause)" }

  @Test func `a sentence is named by its English with a place for each value`() {
    #expect(("Nothing was changed." as Sentence).key == "Nothing was changed.")
    #expect(("Enrolled \(path)." as Sentence).key == "Enrolled #.")
    #expect(opened.key == "#1 cannot be opened: #2")
    #expect(opened.english == "/a cannot be opened: it is gone")
  }

  @Test func `a translation may say values in another order`() {
    #expect(opened.said(by: "#2, weshalb #1 zu bleibt") == "it is gone, weshalb /a zu bleibt")
    #expect(("Enrolled \(path)." as Sentence).said(by: "#を登録しました。") == "/aを登録しました。")
    // Behind a single place any letter may stand, a digit too.
    #expect(("wait \(5) s" as Sentence).said(by: "#1") == "51")
  }

  @Test func `a value with a place in it stays as it is`() {
    let hostile = "#2 #1 #"
    #expect(("\(hostile) holds \(path)" as Sentence).said(by: "#2 gehört #1") == "/a gehört #2 #1 #")
    #expect(("Enrolled \(hostile)." as Sentence).said(by: "#.") == "#2 #1 #.")
  }

  @Test(arguments: ["", "zu: #1", "#1 #1 #2", "#1 #2 #3", "# und #", "#1 #", "#0 #1 #2", "#1 #2 #"])
  func `a translation with other places than the sentence is not said`(translation: String) {
    #expect(opened.said(by: translation) == nil)
  }

  @Test(arguments: ["zu", "# #"])
  func `nor one that leaves out the only value, or says it twice`(translation: String) {
    #expect(("Enrolled \(path)." as Sentence).said(by: translation) == nil)
  }

  @Test func `a translation is said only where it is harmless text with as many lines`() {
    let lines: Sentence = "Go to this page:\n  \(path)"
    #expect(Translations.shown(Array("Diese Seite:\n  #".utf8), for: lines) == "Diese Seite:\n  /a")
    for hostile in ["Diese Seite: #", "a\nb\n#", "wipe \u{1B}[2J\n#", "\u{202E}turned\n#", "a\r\n#"] {
      #expect(Translations.shown(Array(hostile.utf8), for: lines) == nil, "\(hostile)")
    }
    #expect(Translations.shown([0x5A, 0xFC, 0x0A, 0x23], for: lines) == nil)
    #expect(Translations.shown(Array("two\nlines".utf8), for: "one line") == nil)
  }

  @Test func `a translation is copied to its end, and one without an end is not said`() {
    let name = Array("Cancel\0".utf8CString)
    func words(_ text: [CChar]) -> [UInt8]? {
      name.withUnsafeBufferPointer { name in
        text.withUnsafeBufferPointer { Translations.words($0.baseAddress!, unlessOneOf: [name.baseAddress!]) }
      }
    }
    #expect(words(Array("取消".utf8CString)) == Array("取消".utf8))
    #expect(words([CChar](repeating: 0x61, count: 5000)) == nil)
    #expect(name.withUnsafeBufferPointer { Translations.words($0.baseAddress!, unlessOneOf: [$0.baseAddress!]) } == nil)
  }

  @Test func `where the locale has no language, the forms are English`() {
    func items(_ count: Int) -> String { say(count, one: "\(count) item", other: "\(count) items") }
    #expect([0, 1, 2, -1].map(items) == ["0 items", "1 item", "2 items", "-1 items"])
    #expect(say("Enrolled \(path).") == "Enrolled /a.")
  }

  @Test func `nothing, and a value alone, are said as they are`() {
    // gettext has the head of the catalogue under the empty name.
    #expect(say("") == "" && say("\(path)") == "/a")
    #expect(!Translations.mayKnow("") && !Translations.mayKnow("#") && Translations.mayKnow("#1. #2"))
  }
}
