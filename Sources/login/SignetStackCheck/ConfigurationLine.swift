import SignetLanguage

/// One line of a service file as libpam reads it: continued lines are joined, and comments removed (pam.conf(5)).
struct ConfigurationLine: Equatable, Sendable {
  /// The number of its first physical line, from 1.
  var number: Int
  var bytes: [UInt8]
  /// Why libpam reads it otherwise than it looks; `nil` where it does not.
  var defect: Defect?

  enum Defect: Equatable, Sendable {
    /// libpam 1.5 reads at most 1023 bytes at a time, and takes the rest for another line.
    case tooLong
    /// libpam stops reading a line at a zero byte.
    case zeroByte
    /// The file's last line ends in a backslash, and nothing continues it: libpam refuses the whole file.
    case endsInContinuation
  }

  /// What is wrong with it, for the user.
  var explanation: String? {
    switch defect {
    case .tooLong: say("It is longer than \(ConfigurationLine.longest) bytes: libpam takes the rest for a line of its own.")
    case .zeroByte: say("It has a zero byte: libpam does not read what follows.")
    case .endsInContinuation: say("The file ends in a backslash: libpam refuses the whole file, and everybody.")
    case nil: nil
    }
  }

  /// The line as the user is shown it; one that is longer than any sensible line is cut.
  var text: String {
    String(decoding: bytes.prefix(300), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  static let longest = 1022

  static func lines(of file: [UInt8]) -> [ConfigurationLine] {
    var lines: [ConfigurationLine] = []
    var open: ConfigurationLine?
    for (index, physical) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      var line = open ?? ConfigurationLine(number: index + 1, bytes: [])
      // This holds for comments too: what libpam takes for another line has no `#` in front.
      if line.bytes.count + physical.count > longest { line.defect = .tooLong }
      switch line.append(physical) {
      case .complete:
        lines.append(line)
        open = nil
      case .continued: open = line
      case .nothing where open != nil: open = line
      case .nothing: if line.defect != nil { lines.append(line) }
      }
    }
    if var line = open {
      line.defect = .endsInContinuation
      lines.append(line)
    }
    return lines
  }

  private enum Taken { case complete, continued, nothing }

  private mutating func append(_ physical: ArraySlice<UInt8>) -> Taken {
    var rest = physical
    if let zero = rest.firstIndex(of: 0) {
      rest = rest[..<zero]
      defect = .zeroByte
    }
    guard let first = rest.first(where: { !isBlank($0) }), first != UInt8(ascii: "#") else { return .nothing }
    if let comment = rest.firstIndex(of: UInt8(ascii: "#")) {
      bytes += rest[..<comment]
      return .complete
    }
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    guard rest.last == UInt8(ascii: "\\") else {
      bytes += rest
      return .complete
    }
    bytes += rest.dropLast() + [UInt8(ascii: " ")]
    return .continued
  }
}

/// The words of a line, separated by blanks. `[...]` is one word, given without its brackets; `\]` inside it stands for `]`.
struct LineWords {
  struct Word {
    var bytes: [UInt8]
    /// As it is written, brackets included.
    var source: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private var rest: ArraySlice<UInt8>

  init(_ line: ConfigurationLine) { rest = line.bytes[...] }

  mutating func next() -> Word? {
    rest = rest.drop(while: isBlank)
    let start = rest
    guard rest.first == UInt8(ascii: "[") else {
      let word = Array(rest.prefix { !isBlank($0) })
      rest = rest.dropFirst(word.count)
      return word.isEmpty ? nil : Word(bytes: word, source: word)
    }
    rest = rest.dropFirst()
    let bytes = takeToBracket()
    return Word(bytes: bytes, source: Array(start.prefix(start.count - rest.count)))
  }

  /// The next word, without taking it.
  func peek() -> Word? {
    var copy = self
    return copy.next()
  }

  /// All words that are left.
  mutating func remaining() -> [Word] {
    var words: [Word] = []
    while let word = next() { words.append(word) }
    return words
  }

  private mutating func takeToBracket() -> [UInt8] {
    var word: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
      let isEscape = byte == UInt8(ascii: "\\") && rest.first == UInt8(ascii: "]")
      word.append(isEscape ? UInt8(ascii: "]") : byte)
      if isEscape { rest = rest.dropFirst() }
    }
    return word
  }
}

func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
