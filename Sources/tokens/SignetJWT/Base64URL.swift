/// Base64 with the URL alphabet and without padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(held >> bits & 63)])
      }
      held &= (1 << bits) - 1
    }
    if bits > 0 { text.append(alphabet[Int(held << (6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes; `nil` for another character, padding, a length that cannot be, or bits left over that are not zero. So each text of
  /// bytes is one text: a token cannot be changed without changing what it says.
  public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for character in text {
      guard let value = value(of: character) else { return nil }
      held = held << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: held >> bits))
        held &= (1 << bits) - 1
      }
    }
    return bits < 6 && held == 0 ? bytes : nil
  }

  /// As `decode` of the text's bytes.
  public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
