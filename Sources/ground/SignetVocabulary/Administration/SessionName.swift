/// What a session is called: a random number, which is no part of its token. Shown as 8 hexadecimal digits.
public struct SessionName: Hashable, Sendable {
  private let number: UInt32

  public init(_ number: UInt32) { self.number = number }

  /// The session of these digits, which are in lower case.
  public init?(_ text: String) {
    guard let number = UInt32(text, radix: 16), SessionName(number).text == text else { return nil }
    self.number = number
  }

  public var text: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: FieldLimit.sessionIdentifier - digits.count) + digits
  }
}
