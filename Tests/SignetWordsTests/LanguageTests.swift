import Foundation
import SignetBytes
import SignetClient
import SignetVocabulary
import Testing

@testable import SignetWords

/// What the catalogues have for what is said. That a login speaks them is tested with Debian's real login.
@Suite struct LanguageTests {
  /// All that is said to who logs in, in English, with `#` where numbers and names are.
  private static let said: Set<String> = {
    var said: Set<String> = []
    for prompt in (UInt8.min...UInt8.max).compactMap(Prompt.init(rawValue:)) {
      for value in UInt8.min...UInt8.max {
        for (detail, enter) in [("", false), ("", true), ("name", false), ("name\nname", false)] {
          // What the readers are called stands behind the sentence, in no language.
          if prompt == .touchReader, !detail.isEmpty { continue }
          var line = TextLine()
          PromptText.write(prompt, value: value, detail: detail.utf8.span, enterAsksPasscode: enter, into: &line)
          said.insert(String(copying: line))
        }
        if let words = PromptText.withoutPasscode(prompt, value: value) { said.insert("\(words)") }
      }
    }
    for value in UInt8.min...UInt8.max { said.insert(String(copying: PromptText.either(value))) }
    // A finger's name stands in a place of the sentence, and is a sentence of its own.
    let fingers = Finger.allCases.map { $0.name.replacing("-", with: " ") }
    said = Set(said.map { sentence in fingers.reduce(sentence) { $0.replacing("your \($1)", with: "your #") } })
    said.formUnion(fingers)
    said.insert(String(copying: PromptText.passcode))
    for code in UInt8.min...UInt8.max {
      if let words = PasscodeChangeText.of(RefusalCode(rawValue: code)) { said.insert("\(words)") }
    }
    for words in [PasscodeChangeText.notTaken, BusyText.tooManyPrompts, PromptText.systemCancel] { said.insert("\(words)") }
    said.formUnion(["", "name"].flatMap { [DesktopText.wantsFinger($0), DesktopText.wantsPasscode($0)] })
    said.formUnion([
      DesktopText.passcode, DesktopText.cancel, DesktopText.enterPasscode, DesktopText.noPasscode, DesktopText.passcodeTooLong,
    ])
    return Set(said.map { $0.replacing(/[0-9]+|\bname\b/, with: "#") })
  }()

  /// Behind a name that is put before it.
  private func asSaid(_ sentence: String) -> String { sentence.hasPrefix(" ") ? "#" + sentence : sentence }

  @Test func `every sentence of a login is there for translators`() throws {
    let known = try Catalogue("signet.pot").entries.flatMap(\.forms).map(asSaid)
    #expect(LanguageTests.said.subtracting(known) == [])
  }

  @Test func `there are five languages besides English`() {
    #expect(Catalogue.languages == ["de", "ja", "ko", "zh_CN", "zh_TW"])
  }

  @Test(arguments: Catalogue.languages)
  func `a language lacks no sentence and no form`(language: String) throws {
    let catalogue = try Catalogue(language + ".po")
    let template = try Catalogue("signet.pot")
    #expect(catalogue.entries.map(\.forms) == template.entries.map(\.forms))
    let forms = try #require(catalogue.header.firstMatch(of: /nplurals=([0-9])/).flatMap { Int($0.1) })
    for entry in catalogue.entries {
      #expect(entry.translations.count == (entry.plural == nil ? 1 : forms), "\(entry.sentence)")
    }
    #expect(catalogue.entries.filter { $0.translations.contains("") }.map(\.sentence) == [])
    // A single word may be the same in two languages.
    let untranslated = catalogue.entries.filter { entry in
      entry.translations.contains { entry.forms.contains($0) && $0.matches(of: /\p{L}{2,}/).count > 1 }
    }
    #expect(untranslated.map(\.sentence) == [])
  }

  @Test(arguments: Catalogue.languages)
  func `a translation has the places, lines and ends of its sentence`(language: String) throws {
    for entry in try Catalogue(language + ".po").entries {
      for words in entry.translations where !words.isEmpty {
        #expect(places(words) == places(entry.sentence), "\(words)")
        #expect(words.hasSuffix(" ") == entry.sentence.hasSuffix(" "), "\(words)")
        // One blank is between words, which not every language has.
        #expect(words.hasPrefix("  ") == entry.sentence.hasPrefix("  "), "\(words)")
        let lines = words.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == entry.sentence.split(separator: "\n", omittingEmptySubsequences: false).count, "\(words)")
        #expect(lines.allSatisfy { ForeignText.isHarmless(String($0).utf8.span) }, "\(words)")
        #expect(words.utf8.count < 4096, "\(words)")
      }
    }
  }

  /// `#1` and `#2`, in any order; a sentence with one value has `#`, behind which a digit may stand.
  private func places(_ words: String) -> [String] {
    let numbered = words.matches(of: /#[1-9]/).map { String($0.0) }.sorted()
    return numbered.count > 1 ? numbered : Array(repeating: "#", count: words.count { $0 == "#" })
  }

  /// What is typed, or looked up, is the same in all languages: code, options, paths, pages of the manual, names with `_` or capitals
  /// inside, commands, and what a question takes.
  nonisolated(unsafe) private static let typed =
    /`[^`]+`|--[a-z][a-z-]+|\/(?:[a-z#][\w.#-]*\/?)+|[a-z][\w.-]*\([1-9]\)|[A-Za-z]+(?:_[a-z]+)+(?:\.so)?|[a-z]+[A-Z][A-Za-z]+|(?:signet )?(?:journalctl|systemctl)(?: [\w.-]+)+|signet (?:bind|check-config|doctor|enroll|list|lock|login|readers|reset|sessions|status|token|unbind|vault)(?: (?:add|get|recover|reset|seal|jwks|refresh))?\b|\[y\/N\]/

  @Test(arguments: Catalogue.languages)
  func `a translation leaves what is typed as it is`(language: String) throws {
    for entry in try Catalogue(language + ".po").entries {
      for words in entry.translations where !words.isEmpty {
        for part in entry.sentence.matches(of: LanguageTests.typed) {
          #expect(keeps(String(part.0), in: words), "\(part.0): \(words)")
        }
      }
    }
  }

  /// Whether it stands there, and not as the beginning of another word.
  private func keeps(_ part: String, in words: String) -> Bool {
    words.ranges(of: part).contains { range in
      words[range.upperBound...].first.map { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "-") } ?? true
    }
  }

  /// A line that is longer could not be drawn anew. Who knows no name is not cut.
  @Test(arguments: Catalogue.languages)
  func `no prompt is cut at 80 columns, and no sentence at the end of a line's memory`(language: String) throws {
    let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    #expect("密碼ä".columns == 5)
    for entry in try Catalogue(language + ".po").entries {
      let isOfLogin = LanguageTests.said.contains(asSaid(entry.sentence))
      // A sentence that is longer in English has no line of its own that is drawn anew.
      let isPrompt = entry.sentence.count < 80 && (isOfLogin || entry.sentence.hasSuffix(" "))
      for words in entry.translations.map({ $0.replacing("#", with: "255") }) {
        #expect(words.columns < 80 || !isPrompt, "\(words.columns): \(words)")
        #expect(words.utf8.count <= TextLine.limit || !isOfLogin, "\(words)")
      }
    }
  }

  @Test func `where the locale has no language, sentences are English`() {
    var line = TextLine()
    line.say(one: "# finger", many: "# fingers", number: 2)
    line.say(", no word of this is in a catalogue")
    #expect(String(copying: line) == "2 fingers, no word of this is in a catalogue")
  }

  @Test func `what a catalogue has is shown only where it is harmless text`() {
    let hostile: [[CChar]] = [
      Array("wipe \u{1B}[2J".utf8CString), Array("two\nlines".utf8CString), Array("\u{202E}turned".utf8CString), [-4, 98, 0],
    ]
    for words in hostile { #expect(shown(words) == "Passcode") }
    #expect(shown(Array("密碼".utf8CString)) == "密碼")
  }

  private func shown(_ words: [CChar]) -> String {
    Array("Passcode\0".utf8).withUnsafeBufferPointer { english in
      words.withUnsafeBufferPointer { String(cString: Translation.harmless($0.baseAddress!, else: english.baseAddress!)) }
    }
  }
}
