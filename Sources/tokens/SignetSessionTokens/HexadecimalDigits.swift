import SignetBytes
import SignetMemory

extension SecretBytes {
  /// Bytes from their digits; `nil` where it is not so many bytes, or other than lower-case digits.
  public init?(hexadecimal digits: String, count: Int) {
    let digits = Array(digits.utf8)
    guard digits.count == count * 2 else { return nil }
    self.init(hexadecimal: digits.span)
  }

  /// Bytes from their digits; `nil` where they are not in pairs, or other than lower-case digits.
  public init?(hexadecimal digits: Span<UInt8>) {
    guard digits.count % 2 == 0, var bytes = SecretBytes(capacity: max(1, digits.count / 2)) else { return nil }
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
  public var hexadecimalDigits: String { unsafe span.withUnsafeBufferPointer { unsafe $0.hexadecimal } }
}
