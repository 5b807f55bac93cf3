import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

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

  /// `biometryCurrentSet or devicePasscode`
  static func text(of control: AccessControl) -> String {
    let names = names(of: control.constraints)
    // Translators: between names. Keep the blanks where your language has them.
    let (or, and) = (say(" or "), say(" and "))
    return names.isEmpty ? "none" : names.joined(separator: control.connective == .or ? or : and)
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

extension KeyProtection {
  /// As JSON has it.
  var name: String {
    switch self {
    case .secret: "secret"
    case .locked: "locked"
    case .unkept: "unkept"
    }
  }
}

extension ItemRow {
  /// For lists: what became of it where the fingers changed; empty elsewhere.
  var state: String {
    ItemText.state(item.accessControl, isOfCurrentSet: isOfCurrentSet, change, when: TimeText.local(change?.time ?? 0))
  }
}

extension VaultRow {
  /// For `signet status`.
  var words: String {
    let state = ItemText.vault(state, items: Int(items), lost: Int(lost), hasLoginSecret: hasLoginSecret)
    return fault.map { "\(state). \(VaultText.of($0))" } ?? state
  }

  /// How many items there are.
  var count: String { ItemText.count(Int(items), lost: Int(lost), hasLoginSecret: hasLoginSecret) }
}
