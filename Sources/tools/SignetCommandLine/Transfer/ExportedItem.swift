import FoundationEssentials
import SignetMemory
import SignetPasskey
import SignetVocabulary
import SignetWords

/// An item as a line of JSON in an export; signet-json(5) describes it. The first line says which form it is.
struct ExportedItem: Codable {
  var service: String
  var account: String
  var internetPassword: Bool?
  /// Whether a program stored it as synchronizable.
  var synchronizable: Bool?
  /// Whether it is a passkey: its attributes are then its public point, and its comment has the site and the account.
  var passkey: Bool?
  var label: String?
  var comment: String?
  /// An array of `AccessConstraint`s' names; empty for none.
  var access: [String]
  /// `and` or `or`.
  var connective: String?
  var accessible: String
  /// In base64, as the value is.
  var attributes: Data?
  var value: Data

  /// What the first line has.
  struct Form: Codable, Equatable {
    var form = "signet-vault"
    var version = 1
  }

  init(_ item: Item, _ value: borrowing SecretBytes) {
    (service, account) = (item.name.service, item.name.account)
    internetPassword = item.name.kind.isInternetPassword ? true : nil
    synchronizable = item.name.kind.isSynchronizable ? true : nil
    passkey = item.name.isPasskey ? true : nil
    label = item.label.isEmpty ? nil : item.label
    comment = item.comment.isEmpty ? nil : item.comment
    access = AccessConstraint.names(of: item.accessControl.constraints)
    connective = access.count > 1 ? (item.accessControl.connective == .or ? "or" : "and") : nil
    accessible = item.accessibility.name
    attributes = item.attributes.isEmpty ? nil : Data(item.attributes)
    self.value = unsafe value.span.withUnsafeBytes { unsafe Data($0) }
  }

  /// `nil` where it says what no item can have, or what does not leave its machine. It must not be taken for something looser.
  var item: Item? {
    let constraints = access.map { AccessConstraint(rawValue: $0) }
    guard !constraints.contains(nil), !constraints.contains(AccessConstraint.none), Set(access).count == access.count,
      let accessibility = Accessibility.allCases.first(where: { $0.name == accessible }),
      let connective = AccessControl.Connective(connective ?? "and"), value.count <= ItemLimit.value
    else { return nil }
    let all = constraints.reduce(into: AccessControl.Constraints()) { $0.formUnion($1?.constraints ?? []) }
    let kind: ItemName.Kind =
      switch (internetPassword == true, synchronizable == true) {
      case (false, false): passkey == true ? .key : .item
      case (true, false): .internetPassword
      case (false, true): .synchronizableItem
      case (true, true): .synchronizableInternetPassword
      }
    let item = Item(
      ItemName(kind: kind, service: service, account: account), label: label ?? "", comment: comment ?? "",
      accessControl: AccessControl(all, connective), accessibility: accessibility, attributes: Array(attributes ?? Data()))
    return item.isValid && item.mayLeave ? item : nil
  }
}

extension AccessControl.Connective {
  fileprivate init?(_ name: String) {
    switch name {
    case "and": self = .and
    case "or": self = .or
    default: return nil
    }
  }
}

extension Item {
  /// The login secret is this account's, a binding this device's, a key signetd's or its program's, and `whenPasscodeSet` is for one device
  /// by Apple's name of it. A passkey leaves once a program was told that it is there.
  var mayLeave: Bool {
    switch name.kind {
    case .key: StoredCredential(self) != nil && !label.isEmpty && accessibility != .whenPasscodeSet
    case .item, .internetPassword, .synchronizableItem, .synchronizableInternetPassword: accessibility != .whenPasscodeSet
    case .loginSecret, .binding, .programKey: false
    }
  }

  /// What a person calls it.
  var shown: String { StoredCredential(self).map { PasskeyUseText.passkey($0.place) } ?? FingerChangeText.name(name) }
}

/// All items of an export: one line of JSON each.
enum ExportedItems {
  /// The longest line: a value and attributes in base64, and texts each of whose bytes may be escaped.
  private static let line = 131_072

  static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  /// `nil` where a line is none of this form, or an item is there twice.
  static func read(_ text: [UInt8]) -> [(Item, Data)]? {
    var lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: ItemLimit.items + 1)
    let decoder = JSONDecoder()
    guard let first = lines.popFirst(), first.count <= line, lines.count <= ItemLimit.items,
      (try? decoder.decode(ExportedItem.Form.self, from: Data(first))) == ExportedItem.Form()
    else { return nil }
    var items: [(Item, Data)] = []
    for bytes in lines {
      guard bytes.count <= line, let read = try? decoder.decode(ExportedItem.self, from: Data(bytes)), let item = read.item else {
        return nil
      }
      items.append((item, read.value))
    }
    return Set(items.map(\.0.name)).count == items.count ? items : nil
  }
}

extension Array {
  fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
