/// Others' words that must not be shown as they are, and words that must: for every place that shows any. What is harmful
/// stands between `before` and `after`, so that a test sees whether these stay.
public struct ForeignTextVector: Sendable, CustomStringConvertible {
  public let description: String
  public let text: String
  public let isHarmless: Bool

  /// What must not come out anywhere; empty where the text is harmless.
  public var harmful: [Unicode.Scalar] {
    isHarmless ? [] : text.unicodeScalars.filter { $0.value < 0x20 || $0.value > 0x7E }
  }

  /// Whether a text that shows this one has nothing harmful of it, and what stands around that.
  public func expects(_ shown: String) -> Bool {
    let scalars = shown.unicodeScalars
    return isHarmless ? shown.contains(text) : !scalars.contains { harmful.contains($0) } && shown.contains("abc")
  }

  private init(_ name: String, _ text: String, isHarmless: Bool) {
    description = name
    self.text = isHarmless ? text : "abc\(text)xyz"
    self.isHarmless = isHarmless
  }

  public static let all: [ForeignTextVector] =
    harmful.map { ForeignTextVector($0, $1, isHarmless: false) } + harmless.map { ForeignTextVector($0, $1, isHarmless: true) }

  /// The compiler takes no noncharacter in a literal.
  private static func scalar(_ number: UInt32) -> String { Unicode.Scalar(number).map(String.init) ?? "" }

  private static let harmful: [(String, String)] = [
    ("the end of a line", "\n"), ("a return", "\r"), ("a tab", "\t"), ("a zero", "\0"), ("a backspace", "\u{8}"),
    ("an escape", "\u{1B}[2J"), ("a delete", "\u{7F}"), ("a next line", "\u{85}"), ("a control sequence of C1", "\u{9B}31m"),
    ("a soft hyphen", "\u{AD}"), ("a grapheme joiner", "\u{34F}"), ("an Arabic number sign", "\u{600}"),
    ("an Arabic letter mark", "\u{61C}"), ("an inherent vowel", "\u{17B4}"), ("a Mongolian selector", "\u{180B}"),
    ("a Mongolian vowel separator", "\u{180E}"), ("a space of no width", "\u{200B}"), ("a non-joiner", "\u{200C}"),
    ("a joiner", "\u{200D}"), ("a left-to-right mark", "\u{200E}"), ("a right-to-left mark", "\u{200F}"),
    ("a line separator", "\u{2028}"), ("a paragraph separator", "\u{2029}"), ("a left-to-right embedding", "\u{202A}"),
    ("a right-to-left embedding", "\u{202B}"), ("a pop of a direction", "\u{202C}"), ("a left-to-right override", "\u{202D}"),
    ("a right-to-left override", "\u{202E}"), ("a word joiner", "\u{2060}"), ("an invisible plus", "\u{2064}"),
    ("an unassigned one among these", "\u{2065}"), ("a left-to-right isolate", "\u{2066}"),
    ("a right-to-left isolate", "\u{2067}"), ("a first strong isolate", "\u{2068}"), ("a pop of an isolate", "\u{2069}"),
    ("a nominal digit shape", "\u{206F}"), ("private use", "\u{E000}"), ("the console's own glyphs", "\u{F041}"),
    ("a noncharacter of the middle", scalar(0xFDD0)), ("a byte order mark", "\u{FEFF}"), ("an annotation", "\u{FFF9}"),
    ("the end of an annotation", "\u{FFFB}"), ("a noncharacter of the end", scalar(0xFFFE)),
    ("a Kaithi number sign", "\u{110BD}"),
    ("a hieroglyph joiner", "\u{13430}"), ("a shorthand overlap", "\u{1BCA0}"), ("a beam of music", "\u{1D173}"),
    ("a noncharacter of another plane", scalar(0x1FFFF)), ("a language tag", "\u{E0001}"), ("a tag", "\u{E0041}"),
    ("a selector of a variant", "\u{E0100}"), ("private use of plane 15", "\u{F0000}"), ("the last scalar", scalar(0x10FFFF)),
  ]

  private static let harmless: [(String, String)] = [
    ("ASCII", "sudo-i"), ("Latin", "Zo\u{EB} na\u{EF}ve"), ("combining marks", "e\u{301}"), ("Greek", "\u{3B1}\u{3B2}\u{3B3}"),
    ("Hebrew", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"), ("Arabic", "\u{645}\u{631}\u{62D}\u{628}\u{627}"),
    ("Thai", "\u{E2A}\u{E27}\u{E31}\u{E2A}"),
    ("Chinese", "\u{6307}\u{7D0B}"), ("Korean", "\u{C9C0}\u{BB38}"), ("an emoji", "\u{1F446}"),
    ("an emoji with its selector", "\u{270B}\u{FE0F}"), ("a no-break space", "a\u{A0}b"),
  ]
}
