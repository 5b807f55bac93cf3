import SignetBytes
import SignetCoreFoundation
import SignetVocabulary

// A persistent reference is the item's name as bytes: its class (four characters, the last of which is "s" where it is
// synchronizable), the length of its service (two bytes, the
// least significant first), service and account. It finds the item as long as that is called so.

enum PersistentReference {
  private static let texts: [String: ItemName.Kind] = [
    "genp": .item, "inet": .internetPassword, "gens": .synchronizableItem, "ines": .synchronizableInternetPassword,
    "keys": .key, "keyp": .programKey,
  ]

  static func data(of name: ItemName) -> Data? {
    guard let text = texts.first(where: { $0.value == name.kind })?.key else { return nil }
    let service = Array(name.service.utf8)
    let length = Array(littleEndian: service.count, size: 2)
    return Data(Array(text.utf8) + length + service + Array(name.account.utf8))
  }

  /// The item that it means; `nil` where it is none of these references.
  static func name(in data: Data) -> ItemName? {
    let bytes = Array(data)
    guard bytes.count >= 6, let kind = texts[String(decoding: bytes[..<4], as: UTF8.self)],
      case let end = 6 + (Int(bytes[4]) | Int(bytes[5]) << 8), end <= bytes.count,
      let service = String(validating: bytes[6..<end], as: UTF8.self),
      let account = String(validating: bytes[end...], as: UTF8.self)
    else { return nil }
    let name = ItemName(kind: kind, service: service, account: account)
    return name.isValid ? name : nil
  }
}
