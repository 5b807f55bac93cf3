/// `application/x-www-form-urlencoded` (RFC 6749, appendix B).
enum FormEncoding {
  static let mediaType = "application/x-www-form-urlencoded"
  private static let digits = Array("0123456789ABCDEF".utf8)

  static func encode(_ fields: [(String, String)]) -> String {
    fields.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
  }

  /// Everything but what RFC 3986 calls unreserved is written as its bytes.
  static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The fields; `nil` where the text is not of this form, is no UTF-8, or has a name twice (RFC 6749, 3.1).
  static func decode(_ text: Substring) -> [String: String]? {
    var fields: [String: String] = [:]
    for part in text.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = unescape(halves[0]), let value = halves.count == 2 ? unescape(halves[1]) : "", fields[name] == nil else {
        return nil
      }
      fields[name] = value
    }
    return fields
  }

  private static func unescape(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    digit < 0x80 ? Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init) : nil
  }
}
