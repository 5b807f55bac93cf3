import CLibc

/// A secret of some program's, without its value.
struct StoredItem {
  let collection: String
  let id: String
  var item: Item
  let created: UInt64
  let modified: UInt64
  var kept: KeptAttributes

  var path: String { Catalog.path(of: collection, id) }
}

/// A collection: those of its items, which name it, and a record of its own.
struct StoredCollection {
  let name: String
  var label: String
  /// What it is called besides; empty for nothing.
  var alias = ""
  var created: UInt64 = 0
  var modified: UInt64 = 0
  /// False of the first, until it is needed.
  var hasRecord = false

  var path: String { Catalog.root + name }
}

/// What the vault has of ours. An item of it is named `org.freedesktop.secrets/COLLECTION` and a number, a collection's record the same
/// without a number.
struct Catalog {
  static let root = "/org/freedesktop/secrets/collection/"
  static let first = "login"
  static let collectionLimit = 16
  private static let service = "org.freedesktop.secrets/"

  private(set) var collections = [StoredCollection(name: Catalog.first, label: "Login")]
  private(set) var items: [StoredItem] = []

  init(of rows: [ItemRow]) {
    for row in rows where row.item.name.kind == .item { take(row) }
    // Of a collection whose record somebody deleted the items are still there.
    for item in items where collection(item.collection) == nil {
      collections.append(StoredCollection(name: item.collection, label: item.collection))
    }
  }

  private mutating func take(_ row: ItemRow) {
    let service = Array(row.item.name.service.utf8)
    let prefix = Catalog.service.utf8
    guard service.starts(with: prefix) else { return }
    let name = String(decoding: service.dropFirst(prefix.count), as: UTF8.self)
    let id = row.item.name.account
    guard Catalog.isWord(name) else { return }
    guard id.isEmpty else {
      guard Catalog.isWord(id) else { return }
      items.append(
        StoredItem(
          collection: name, id: id, item: row.item, created: row.created, modified: row.modified,
          kept: KeptAttributes(parsing: row.item.attributes)))
      return
    }
    let record = StoredCollection(
      name: name, label: row.item.label, alias: row.item.comment, created: row.created, modified: row.modified, hasRecord: true)
    if let index = collections.firstIndex(where: { $0.name == name }) {
      collections[index] = record
    } else {
      collections.append(record)
    }
  }

  /// Whether it can be a part of a path.
  static func isWord(_ text: String) -> Bool {
    let bytes = text.utf8
    return (1...64).contains(bytes.count)
      && bytes.allSatisfy {
        $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 32)
      }
  }

  static func path(of collection: String, _ id: String) -> String { root + collection + "/" + id }

  static func itemName(_ collection: String, _ id: String) -> ItemName { ItemName(service: service + collection, account: id) }

  /// The record of a collection. It asks for the owner, so that reading it proves that they are there; see `Opening`.
  static func record(_ name: String, label: String, alias: String) -> Item {
    Item(
      itemName(name, ""), label: label, comment: alias, accessControl: AccessControl(.userPresence),
      accessibility: .afterFirstUnlock)
  }

  func collection(_ name: String) -> StoredCollection? { collections.first { $0.name == name } }

  func collection(alias: String) -> StoredCollection? {
    if alias == "default" || alias.isEmpty { return alias.isEmpty ? nil : collection(Catalog.first) }
    return collections.first { $0.alias == alias } ?? (alias == Catalog.first ? collection(Catalog.first) : nil)
  }

  func item(_ collection: String, _ id: String) -> StoredItem? { items.first { $0.collection == collection && $0.id == id } }

  func items(of collection: String) -> [StoredItem] { items.filter { $0.collection == collection } }

  /// A number for a new item, by chance.
  static func newID() -> String? {
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = bytes.withUnsafeMutableBytes { getrandom($0.baseAddress, $0.count, 0) }
    return count == bytes.count ? bytes.hexadecimal : nil
  }

  /// A name for a new collection, from what people call it.
  func newName(for label: String) -> String? {
    var word = ""
    for byte in label.utf8.prefix(32) {
      let scalar = UnicodeScalar(byte)
      word.unicodeScalars.append(Catalog.isWord(String(scalar)) ? scalar : "_")
    }
    if word.isEmpty { word = "collection" }
    guard collections.count < Catalog.collectionLimit else { return nil }
    if collection(word) == nil { return word }
    for number in 2...Catalog.collectionLimit + 1 where collection("\(word)_\(number)") == nil { return "\(word)_\(number)" }
    return nil
  }
}
