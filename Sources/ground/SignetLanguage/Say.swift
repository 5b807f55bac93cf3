import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBytes
#endif

/// For programs of our own, when they begin: from here on sentences follow the user's locale (setlocale(3)). Numbers and dates stay as
/// they are; programs read them.
public func speakUsersLanguage() {
  _ = unsafe setlocale(LC_CTYPE, "")
  _ = unsafe setlocale(LC_MESSAGES, "")
}

/// From here on sentences are English: for output that programs read.
public func speakEnglish() { _ = unsafe setlocale(LC_MESSAGES, "C") }

/// The sentence in the user's language; in English where there are no words for it, or none that may be shown.
public func say(_ sentence: Sentence) -> String {
  let key = sentence.key
  guard Translations.mayKnow(key) else { return sentence.english }
  let words = unsafe key.withCString { key in
    unsafe Translations.words(clinux_translation(key), unlessOneOf: [key])
  }
  return words.flatMap { Translations.shown($0, for: sentence) } ?? sentence.english
}

/// The form of a sentence for a number in the user's language, which may have one form or many.
public func say(_ count: some BinaryInteger, one: Sentence, other: Sentence) -> String {
  let english = count == 1 ? one : other
  let (key, keyOfOther) = (one.key, other.key)
  guard Translations.mayKnow(key) else { return english.english }
  let words = unsafe key.withCString { key in
    unsafe keyOfOther.withCString { other in
      unsafe Translations.words(clinux_translation_of_count(key, other, UInt(clamping: count)), unlessOneOf: [key, other])
    }
  }
  return words.flatMap { Translations.shown($0, for: english) } ?? english.english
}

/// What gettext has for a name, as far as it may be shown.
enum Translations {
  /// More than any sentence has, in bytes.
  private static let limit = 4096

  /// An empty name is the catalogue's own head, and a value alone has no words.
  static func mayKnow(_ key: String) -> Bool { key != "" && key != "#" }

  /// A copy of a translation; `nil` where gettext gave the name back.
  @unsafe static func words(_ found: UnsafePointer<CChar>, unlessOneOf names: [UnsafePointer<CChar>]) -> [UInt8]? {
    guard unsafe !names.contains(found) else { return nil }
    let count = unsafe strnlen(found, limit)
    return unsafe count < limit ? UnsafeRawBufferPointer(start: found, count: count).map { $0 } : nil
  }

  /// The translation with the sentence's values in it. `nil` where it has other places or other lines, or is not harmless text in UTF-8:
  /// a catalogue of another locale's letters, or of somebody else.
  static func shown(_ words: [UInt8], for sentence: Sentence) -> String? {
    let lines = words.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == sentence.key.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + 1,
      lines.allSatisfy({ ForeignText.isHarmless(Array($0).span) }), let text = String(validating: words, as: UTF8.self)
    else { return nil }
    return sentence.said(by: text)
  }
}
