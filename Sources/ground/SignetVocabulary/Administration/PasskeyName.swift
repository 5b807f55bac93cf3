/// What a passkey is called where its site is not to stand: the beginning of its credential's name, which is random. Shown as 8 hexadecimal
/// digits.
public struct PasskeyName: Hashable, Sendable {
  private let number: UInt32

  public init(_ number: UInt32) { self.number = number }

  /// The passkey of these digits, which are in lower case.
  public init?(_ text: String) {
    guard let number = UInt32(digits: text) else { return nil }
    self.number = number
  }

  /// `nil` where the item is no passkey.
  public init?(_ item: ItemName) {
    guard item.isPasskey else { return nil }
    self.init(String(decoding: Array(item.account.utf8.prefix(FieldLimit.sessionIdentifier)), as: UTF8.self))
  }

  public var text: String { number.digits }
}
