#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// The escapes of Assuan: `%` and two hexadecimal digits, for the bytes that a line cannot have.
public enum AssuanText {
  /// The text as an argument, cut at a whole character where it would not fit a line together with its command.
  public static func escaped(_ text: String) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      let piece = escaped(scalar)
      count += piece.utf8.count
      // A command and a space stand before it.
      guard count <= AssuanLimit.line - 64 else { break }
      result += piece
    }
    return result
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\0": ""
    case "%": "%25"
    case "\r": "%0D"
    case "\n": "%0A"
    default: String(scalar)
    }
  }

  /// Appends the bytes with what needs it escaped.
  public static func escape(_ bytes: Span<UInt8>, into line: inout SecretBytes) throws(AssuanError) {
    for index in bytes.indices {
      let byte = bytes[index]
      guard isEscaped(byte) else {
        guard line.append(byte) else { throw .tooLong }
        continue
      }
      guard line.append(UInt8(ascii: "%")), line.append(digit(byte >> 4)), line.append(digit(byte & 0xF)) else {
        throw .tooLong
      }
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || byte == 0
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Appends what an escaped text stands for.
  public static func unescape(_ text: Span<UInt8>, into bytes: inout SecretBytes) throws(AssuanError) {
    var index = 0
    while index < text.count {
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard text.count - index >= 2, let high = value(text[index]), let low = value(text[index + 1]) else {
          throw .malformed
        }
        byte = high << 4 | low
        index += 2
      }
      guard bytes.append(byte) else { throw .tooLong }
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
