extension ForeignText {
  /// The text with a replacement for each scalar that is not harmless. U+FFFD, which stands for what somebody else replaced or
  /// could not read, is replaced, too.
  ///
  /// - Parameter inQuotes: whether the text will stand between quotes, which one of its own must not end.
  public static func harmless(
    _ text: String, replacement: Unicode.Scalar = "\u{FFFD}", inQuotes: Bool = false
  ) -> String {
    let shown = text.unicodeScalars.map { scalar in
      isHarmless(scalar.value) && scalar != "\u{FFFD}" && !(inQuotes && scalar == "\"") ? scalar : replacement
    }
    return String(String.UnicodeScalarView(shown))
  }

  /// JSON with each scalar that is not harmless as a number: nothing is lost, and a terminal shows it. The line ends of a
  /// pretty form stay; those within strings are no line ends in JSON any more.
  public static func harmless(json: String) -> String {
    var result = ""
    for scalar in json.unicodeScalars {
      if scalar == "\n" || isHarmless(scalar.value) {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result
  }
}
