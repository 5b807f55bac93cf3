import CLinux
import CPKCS11

/// A key of the vault, which is two objects: a private and a public one.
struct Key {
  let name: ItemName
  /// 4, x and y.
  let point: [UInt8]
  /// Of the private object; that of the public one is the next number.
  let handle: ck_object_handle_t

  var publicHandle: ck_object_handle_t { handle &+ 1 }

  /// What programs know the pair by, CKA_ID: what the program that made the key has chosen, which is kept as its account, or the first
  /// bytes of the digest of its point.
  var identifier: [UInt8] { KeyIdentifier(account: name.account)?.bytes ?? Array(SHA256.hash(point.span).prefix(20)) }

  /// As `signet key list` shows it, without an account that is its identifier.
  var label: [UInt8] {
    let service = Array(name.service.utf8)
    if name.account.utf8.isEmpty || KeyIdentifier(account: name.account) != nil { return service }
    return service + [UInt8(ascii: "/")] + Array(name.account.utf8)
  }
}

/// A CKA_ID that a program has chosen, in the form in which it is a key's account: hexadecimal digits.
struct KeyIdentifier {
  static var limit: Int { 64 }

  let bytes: [UInt8]

  /// `nil` where it has no bytes or too many.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= KeyIdentifier.limit else { return nil }
    self.bytes = bytes
  }

  /// `nil` where the account is another program's own.
  init?(account: String) {
    let digits = Array(account.utf8)
    guard digits.count % 2 == 0, digits.count <= 2 * KeyIdentifier.limit else { return nil }
    var bytes: [UInt8] = []
    var index = 0
    while index < digits.count {
      guard let high = KeyIdentifier.value(digits[index]), let low = KeyIdentifier.value(digits[index &+ 1]) else { return nil }
      bytes.append(high &<< 4 | low)
      index &+= 2
    }
    self.init(bytes)
  }

  var account: String {
    var digits: [UInt8] = []
    for byte in bytes { for half in [byte &>> 4, byte & 15] { digits.append(half < 10 ? 48 &+ half : 87 &+ half) } }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- 87
    default: nil
    }
  }
}

/// The keys that the vault had when it was last looked at. A handle means the same key as long as it is there, in all sessions.
struct KeyTable {
  private(set) var keys: [Key] = []
  private var last: ck_object_handle_t = 0

  /// Takes in what the vault has now. Those that the fingers took with them sign nothing, and are left out.
  mutating func update(_ rows: [ItemRow]) {
    var present: [Key] = []
    for row in rows where row.item.name.kind == .key && row.isOfCurrentSet && row.item.attributes.count == ItemLimit.publicKey {
      // A site's key must not sign for another.
      if row.item.name.isPasskey { continue }
      guard present.count < ItemLimit.items else { break }
      present.append(known(row.item) ?? make(row.item))
    }
    keys = present
  }

  /// Renamed it would be another one, and two of one name are one after the other.
  private func known(_ item: Item) -> Key? {
    keys.first { key in
      key.point == item.attributes && key.name.service.utf8.elementsEqual(item.name.service.utf8)
        && key.name.account.utf8.elementsEqual(item.name.account.utf8)
    }
  }

  private mutating func make(_ item: Item) -> Key {
    defer { last &+= 2 }
    return Key(name: item.name, point: item.attributes, handle: last &+ 1)
  }

  /// A key that was just made.
  mutating func add(_ item: Item) -> Key {
    let key = make(item)
    keys.append(key)
    return key
  }

  mutating func remove(_ key: Key) { keys.removeAll { $0.handle == key.handle } }

  func object(_ handle: ck_object_handle_t) throws(Fault) -> KeyObject {
    for key in keys {
      if key.handle == handle { return KeyObject(key: key, isPrivate: true) }
      if key.publicHandle == handle { return KeyObject(key: key, isPrivate: false) }
    }
    throw Fault(CKR_OBJECT_HANDLE_INVALID)
  }

  /// All of them, the private object of each first.
  var objects: [KeyObject] {
    keys.flatMap { [KeyObject(key: $0, isPrivate: true), KeyObject(key: $0, isPrivate: false)] }
  }
}
