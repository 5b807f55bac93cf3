import SignetMemory

extension SecretBytes {
  /// Bytes from their digits; `nil` where it is not so many bytes, or other than digits.
  public init?(hexadecimal digits: String, count: Int) {
    let digits = Array(digits.utf8)
    guard digits.count == count * 2, var bytes = SecretBytes(capacity: count) else { return nil }
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]), bytes.append(high << 4 | low) else {
        return nil
      }
    }
    self = bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Lower-case digits, in memory that nobody wipes: for what is handed to a program as text.
  public var hexadecimalDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: (0..<count).flatMap { [digits[Int(span[$0] >> 4)], digits[Int(span[$0] & 15)]] }, as: UTF8.self)
  }
}
