import SignetJSON

/// What may be a token: it goes into a header as it is.
enum TokenText {
  /// The most bytes that a token may have.
  static let maximumSize = 16 << 10

  /// A text of 1 to `maximumSize` visible ASCII characters; `nil` for anything else.
  static func checked(_ value: JSONValue?) -> String? {
    guard let text = value?.string, !text.isEmpty, text.utf8.count <= maximumSize,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return text
  }
}
