import SignetVocabulary
import SignetWire
import SignetWords

/// Items in words. What is in them comes from files and is escaped by who shows it.
enum ItemWords {
  /// `mail.example.org`, with the account behind it where there is one.
  static func name(_ name: ItemName) -> String {
    switch name.kind {
    case .loginSecret: "the login secret"
    case .item: Printable.text(name.account.isEmpty ? name.service : "\(name.service), \(name.account)")
    }
  }

  /// `biometryCurrentSet or devicePasscode`
  static func access(_ control: AccessControl) -> String {
    let names = AccessConstraint.names(of: control.constraints)
    return names.isEmpty ? "none" : names.joined(separator: control.connective == .or ? " or " : " and ")
  }

  /// What became of an item whose fingers are no longer the enrolled ones; empty for all others.
  static func state(_ row: ItemRow) -> String {
    if row.isOfCurrentSet { return "" }
    let control = row.item.accessControl
    let opensOtherwise = control.connective == .or && control.constraints != .biometryCurrentSet
    return opensOtherwise ? "fingers changed" : "gone: fingers changed"
  }

  /// `12 items with the login secret, 2 of them lost`
  static func count(_ row: VaultRow) -> String {
    items(row) + (row.lost > 0 ? ", \(row.lost) of them lost" : "")
  }

  static func items(_ row: VaultRow) -> String {
    "\(row.items) \(row.items == 1 ? "item" : "items")" + (row.hasLoginSecret ? " with the login secret" : "")
  }
}

/// What an item may ask for, as the command line and JSON name it.
enum AccessConstraint: String, CaseIterable {
  case none, biometryAny, biometryCurrentSet, userPresence, devicePasscode

  var constraints: AccessControl.Constraints {
    switch self {
    case .none: []
    case .biometryAny: .biometryAny
    case .biometryCurrentSet: .biometryCurrentSet
    case .userPresence: .userPresence
    case .devicePasscode: .devicePasscode
    }
  }

  static func names(of constraints: AccessControl.Constraints) -> [String] {
    allCases.filter { $0 != .none && constraints.isSuperset(of: $0.constraints) }.map(\.rawValue)
  }
}

extension Accessibility {
  /// As the command line and JSON have it.
  var name: String {
    switch self {
    case .whenUnlocked: "whenUnlocked"
    case .afterFirstUnlock: "afterFirstUnlock"
    case .whenPasscodeSet: "whenPasscodeSet"
    }
  }
}

extension VaultState {
  /// As JSON has it.
  var name: String {
    switch self {
    case .none: "none"
    case .closed: "closed"
    case .open: "open"
    case .otherPasscode: "otherPasscode"
    case .keyLost: "keyLost"
    case .unusable: "unusable"
    }
  }
}

/// A vault in words, for `signet status`.
enum VaultWords {
  static func state(_ row: VaultRow) -> String {
    let words = known(row)
    return row.fault.map { "\(words). \(Printable.text(VaultText.of($0)))" } ?? words
  }

  private static func known(_ row: VaultRow) -> String {
    let items = ItemWords.count(row)
    return switch row.state {
    case .none: "none yet. The first item makes one: signet vault add"
    case .open: "open, \(items)"
    case .closed: "closed until your passcode is entered, \(items)"
    case .otherPasscode: "closed: another passcode opens it, \(items). With that one: signet vault recover"
    case .keyLost: "its key is lost, and nothing opens its \(ItemWords.items(row)). To start again: signet vault reset"
    case .unusable: "not usable"
    }
  }
}
