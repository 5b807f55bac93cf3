/// What a session is called: a random number, which is no part of its token. Shown as 8 hexadecimal digits.
public struct SessionName: Hashable, Sendable {
  private let number: UInt32

  public init(_ number: UInt32) { self.number = number }

  /// The session of these digits, which are in lower case.
  public init?(_ text: String) {
    guard let number = UInt32(digits: text) else { return nil }
    self.number = number
  }

  public var text: String { number.digits }
}

extension UInt32 {
  /// The number of 8 hexadecimal digits in lower case.
  init?(digits text: String) {
    guard let number = UInt32(text, radix: 16), number.digits == text else { return nil }
    self = number
  }

  /// Those digits.
  var digits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: FieldLimit.sessionIdentifier - digits.count) + digits
  }
}
