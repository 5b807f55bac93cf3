import SignetJWT

/// Base64 with the plain alphabet and padding (RFC 4648, section 4).
enum Base64Text {
  static func encode(_ bytes: [UInt8]) -> String {
    let text = String(Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// `nil` where it is not canonical.
  static func decode(_ text: String) -> [UInt8]? {
    let bare = text.prefix { $0 != "=" }
    guard !bare.contains("-"), !bare.contains("_") else { return nil }
    let bytes = Base64URL.decode(String(bare.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    return bytes.flatMap { encode($0).hasSameBytes(as: text) ? $0 : nil }
  }
}
