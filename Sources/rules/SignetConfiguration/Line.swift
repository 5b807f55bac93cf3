import SignetLanguage

/// One line of the file. Whether its key exists and its value is right is looked at later.
enum Line: Equatable {
  /// Empty, or a comment.
  case nothing
  /// `[service NAME]`, with NAME.
  case service(String)
  /// `key = value`; neither is empty.
  case setting(key: String, value: String)

  /// What is wrong with a line: what was found, and what is allowed.
  struct Malformed: Error, Equatable {
    var message: String
    /// Whether the line was to begin a section, so that it is unknown where the lines below it belong.
    var isOfSection = false
  }

  /// The longest line, in bytes. No value needs more.
  static let limit = 1024

  init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
    guard bytes.count <= Line.limit else {
      throw Malformed(message: say("the line has \(bytes.count) bytes; at most \(Line.limit) are allowed"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Malformed(message: say("the line is not UTF-8 text"))
    }
    if let stranger = text.unicodeScalars.first(where: { !Line.isText($0) }) { throw Malformed(stranger) }
    let content = Line.trimmed(text.unicodeScalars.prefix { $0 != "#" })
    if content.isEmpty {
      self = .nothing
    } else if content.hasPrefix("[") {
      self = .service(try Line.service(content))
    } else {
      self = try Line.setting(content)
    }
  }

  private static func setting(_ content: String) throws(Malformed) -> Line {
    guard let equals = content.unicodeScalars.firstIndex(of: "=") else {
      throw Malformed(message: say("expected `key = value`, found \(Shown.text(content))"))
    }
    let key = trimmed(content.unicodeScalars[..<equals])
    let value = trimmed(content.unicodeScalars[equals...].dropFirst())
    guard !key.isEmpty else { throw Malformed(message: say("expected `key = value`, found \(Shown.text(content))")) }
    guard !value.isEmpty else {
      let allowed = Key.named(key)?.allowed
      throw Malformed(
        message: allowed.map { say("\(Shown.text(key)) has no value; expected \($0)") }
          ?? say("\(Shown.text(key)) has no value"))
    }
    return .setting(key: key, value: value)
  }

  private static func service(_ content: String) throws(Malformed) -> String {
    let words = content.hasSuffix("]") ? content.dropFirst().dropLast().split { $0 == " " || $0 == "\t" } : []
    guard words.count == 2, words[0] == "service" else {
      throw Malformed(message: say("unknown section \(Shown.text(content)); expected `[service NAME]`"), isOfSection: true)
    }
    guard let name = Form<String>.service.read(String(words[1])) else {
      throw Malformed(
        message: say("section \(Shown.text(content)): expected \(Form<String>.service.allowed)"), isOfSection: true)
    }
    return name
  }

  /// Only blanks and tabs separate words. Other white space counts as part of a name, and no such name exists.
  private static func trimmed(_ text: some BidirectionalCollection<Unicode.Scalar>) -> String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    let end = text.lastIndex { !isBlank($0) }
    guard let start = text.firstIndex(where: { !isBlank($0) }), let end else { return "" }
    return String(String.UnicodeScalarView(text[start...end]))
  }

  /// False for invisible characters, which could make a line look like another one.
  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\t" || (0x20..<0x7F).contains(scalar.value) { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return false
    default: return true
    }
  }
}

extension Line.Malformed {
  fileprivate init(_ stranger: Unicode.Scalar) {
    let digits = String(stranger.value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    message =
      stranger == "\r"
      ? say("the character \(name) is not allowed; lines end with a line feed alone")
      : say("the character \(name) is not allowed; only visible characters, blanks and tabs are")
  }
}

/// What was found, for messages.
enum Shown {
  static func text(_ text: String) -> String {
    text.count <= 60 ? "`\(text)`" : "`\(text.prefix(60))...`"
  }
}
