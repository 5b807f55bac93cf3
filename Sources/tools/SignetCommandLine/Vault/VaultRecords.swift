import SignetVocabulary
import SignetWire
import SignetWords

/// An item as JSON has it; its value is nowhere in it.
struct ItemRecord: Encodable {
  /// Both empty for the login secret.
  var service: String
  var account: String
  var label: String
  var comment: String
  var loginSecret: Bool
  var access: [String]
  /// `and` or `or`.
  var connective: String
  var accessible: String
  var created: String
  var modified: String
  /// False where the fingers changed since.
  var isOfCurrentSet: Bool
  /// Their change, where it is known.
  var fingerChange: FingerChangeRecord?
  var internetPassword: Bool
  /// Whether a program stored it as synchronizable, beside one of the same name that is not.
  var synchronizable: Bool
  /// Whether it signs in at an identity provider.
  var binding: Bool
  /// The program that stored it; empty where nobody knows.
  var program: String
  /// The others that may read it.
  var otherPrograms: [String]

  init(_ row: ItemRow) {
    let item = row.item
    (service, account) = (item.name.service, item.name.account)
    (label, comment) = (item.label, item.comment)
    loginSecret = item.name.kind == .loginSecret
    access = AccessConstraint.names(of: item.accessControl.constraints)
    connective = item.accessControl.connective == .or ? "or" : "and"
    accessible = item.accessibility.name
    created = TimeText.utc(row.created)
    modified = TimeText.utc(row.modified)
    isOfCurrentSet = row.isOfCurrentSet
    fingerChange = row.change.map(FingerChangeRecord.init)
    internetPassword = item.name.kind.isInternetPassword
    synchronizable = item.name.kind.isSynchronizable
    binding = item.name.kind == .binding
    (program, otherPrograms) = (row.creator, row.others)
  }
}

struct FingerChangeRecord: Encodable {
  /// `enrolled`, `imported` or `deleted`.
  var cause: String
  /// Empty for all of them.
  var finger: String
  var time: String

  init(_ change: FingerChange) {
    cause = "\(change.cause)"
    finger = change.finger?.name ?? ""
    time = TimeText.utc(change.time)
  }
}

/// A vault as JSON has it.
struct VaultRecord: Encodable {
  /// A `VaultState`'s name.
  var state: String
  var items: UInt16
  var lost: UInt16
  var loginSecret: Bool
  var explanation: String
  /// A `KeyProtection`'s name.
  var keys: String

  init(_ row: VaultRow) {
    keys = row.protection.name
    state = row.state.name
    (items, lost) = (row.items, row.lost)
    loginSecret = row.hasLoginSecret
    explanation = row.fault.map(VaultText.of) ?? ""
  }
}
