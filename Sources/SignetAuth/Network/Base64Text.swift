import SignetJWT

/// Base64 with the plain alphabet and padding (RFC 4648, section 4).
enum Base64Text {
  static func encode(_ bytes: [UInt8]) -> String {
    let text = Base64URL.encode(bytes).replacing("-", with: "+").replacing("_", with: "/")
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// `nil` where it is not canonical.
  static func decode(_ text: String) -> [UInt8]? {
    let bare = text.prefix { $0 != "=" }
    guard !bare.contains("-"), !bare.contains("_") else { return nil }
    let bytes = Base64URL.decode(String(bare).replacing("+", with: "-").replacing("/", with: "_"))
    return bytes.flatMap { encode($0).hasSameBytes(as: text) ? $0 : nil }
  }
}
