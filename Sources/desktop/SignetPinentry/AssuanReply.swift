#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// What a server says in one line.
public enum AssuanReply: Equatable, Sendable {
  case ok
  /// A number of libgpg-error: its lower 16 bits are the code, what is above them says whose it is.
  case error(UInt32)
  /// A part of the answer; the bytes were appended.
  case data
  /// A status line or a comment: nothing that would have to be understood.
  case note
  /// The server asks something in return.
  case inquiry

  /// Reads a line without its end, and appends the bytes of a D line to `data`.
  public init(parsing line: Span<UInt8>, data: inout SecretBytes) throws(AssuanError) {
    var end = 0
    while end < line.count, line[end] != UInt8(ascii: " ") { end += 1 }
    let word = line.extracting(first: end)
    let rest = line.extracting(droppingFirst: end + 1)
    if word.isEqual(to: [UInt8(ascii: "D")].span), end < line.count {
      try AssuanText.unescape(rest, into: &data)
      self = .data
    } else if line.count > 0, line[0] == UInt8(ascii: "#") {
      self = .note
    } else if let reply = AssuanReply.plain(word) {
      self = reply
    } else if word.isEqual(to: Array("ERR".utf8).span) {
      self = .error(try AssuanReply.number(rest))
    } else {
      throw .malformed
    }
  }

  /// The same of a line as it came.
  public init(in line: borrowing AssuanLine, data: inout SecretBytes) throws(AssuanError) {
    try self.init(parsing: line.span, data: &data)
  }

  private static func plain(_ word: Span<UInt8>) -> AssuanReply? {
    if word.isEqual(to: Array("OK".utf8).span) { return .ok }
    if word.isEqual(to: [UInt8(ascii: "S")].span) { return .note }
    if word.isEqual(to: Array("INQUIRE".utf8).span) { return .inquiry }
    return nil
  }

  /// The decimal number at the beginning, with nothing or a space behind it.
  private static func number(_ text: Span<UInt8>) throws(AssuanError) -> UInt32 {
    var number: UInt64 = 0
    var index = 0
    while index < text.count, text[index] != UInt8(ascii: " ") {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]), index < 10 else { throw .malformed }
      number = number * 10 + UInt64(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index > 0, let number = UInt32(exactly: number) else { throw .malformed }
    return number
  }
}

/// The codes of libgpg-error that matter here (its err-codes.h.in).
public enum AssuanErrorCode {
  /// `GPG_ERR_CANCELED`, `GPG_ERR_FULLY_CANCELED`: the user gave up.
  static let cancelled: Set<UInt32> = [99, 198]
  /// `GPG_ERR_NOT_CONFIRMED`: the user said no.
  static let notConfirmed: UInt32 = 114
  /// `GPG_ERR_CANCELED` as pinentry says it (`GPG_ERR_SOURCE_PINENTRY` is 5).
  public static let cancelledByPinentry: UInt32 = 5 << 24 | 99

  /// The code without its source.
  static func code(_ error: UInt32) -> UInt32 { error & 0xFFFF }
}
