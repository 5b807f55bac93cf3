#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// An item as it is listed; its value is nowhere in it.
public struct ItemRow: Equatable, Sendable {
  public var item: Item
  /// Seconds since 1970.
  public var created: UInt64
  /// Seconds since 1970.
  public var modified: UInt64
  /// False where the fingers changed since, and no finger opens what only those could.
  public var isOfCurrentSet: Bool
  /// The program that stored it, as the kernel named it; empty where that is not known.
  public var creator: String
  /// The others that the owner lets read it, at most `ItemLimit.others`.
  public var others: [String]
  /// That of the fingers, where they are not those of the item any more and it is known.
  public var change: FingerChange?
  /// Whether it is a key that the TPM has, and no file.
  public var isInTPM: Bool

  public init(
    item: Item, created: UInt64, modified: UInt64, isOfCurrentSet: Bool, creator: String = "", others: [String] = [],
    change: FingerChange? = nil, isInTPM: Bool = false
  ) {
    self.item = item
    self.created = created
    self.modified = modified
    self.isOfCurrentSet = isOfCurrentSet
    self.creator = creator
    self.others = others
    self.change = change
    self.isInTPM = isInTPM
  }
}

extension ItemRow: FieldForm {
  static let blank = ItemRow(item: .loginSecret, created: 0, modified: 0, isOfCurrentSet: false)

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = ItemRow(
      item: try fields.passed(item), created: try fields.passed(created), modified: try fields.passed(modified),
      isOfCurrentSet: try fields.passed(isOfCurrentSet), creator: try fields.passed(creator, limit: ItemLimit.program),
      others: try fields.passed(programs: others), change: try fields.passed(orNone: change),
      isInTPM: try fields.passed(isInTPM))
  }
}

/// A user's vault, as `status` tells of it.
public struct VaultRow: Equatable, Sendable {
  public var state: VaultState
  public var items: UInt16
  /// Items that nothing opens any more.
  public var lost: UInt16
  /// Whether there is a login secret, dead or alive.
  public var hasLoginSecret: Bool
  /// What is wrong with which file, for `unusable` always.
  public var fault: VaultError?
  /// Of the keys of all open vaults.
  public var protection: KeyProtection

  public init(
    state: VaultState, items: UInt16 = 0, lost: UInt16 = 0, hasLoginSecret: Bool = false, fault: VaultError? = nil,
    protection: KeyProtection = .secret
  ) {
    self.state = state
    self.items = items
    self.lost = lost
    self.hasLoginSecret = hasLoginSecret
    self.fault = fault
    self.protection = protection
  }
}

extension VaultRow: FieldForm {
  static let blank = VaultRow(state: .none)

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = VaultRow(
      state: try fields.passed(state), items: try fields.passed(items), lost: try fields.passed(lost),
      hasLoginSecret: try fields.passed(hasLoginSecret), fault: try fields.passed(orNone: fault),
      protection: try fields.passed(protection))
  }
}

// What is written must be valid, and so must what is read: the fields are only looked at between the two.

extension ItemName: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    guard isValid else { throw .badValue }
    self = ItemName(
      kind: try fields.passed(kind), service: try fields.passed(service, limit: ItemLimit.name),
      account: try fields.passed(account, limit: ItemLimit.name))
    guard isValid else { throw .badValue }
  }
}

extension Item: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    guard isValid else { throw .badValue }
    self = Item(
      try fields.passed(name), label: try fields.passed(label, limit: ItemLimit.text),
      comment: try fields.passed(comment, limit: ItemLimit.text),
      accessControl: AccessControl(try fields.passed(accessControl.constraints), try fields.passed(accessControl.connective)),
      accessibility: try fields.passed(accessibility), attributes: try fields.passed(attributes, limit: ItemLimit.attributes))
    guard isValid else { throw .badValue }
  }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// Behind the number of its cause, which is 0 for `nil`.
  @_lifetime(self: copy self)
  fileprivate mutating func passed(orNone change: FingerChange?) throws(FormatError) -> FingerChange? {
    guard let cause = try passed(orNone: change?.cause) else { return nil }
    let finger = try passed(orNone: change?.finger)
    return FingerChange(cause, finger, time: try passed(change?.time ?? 0))
  }

  @_lifetime(self: copy self)
  fileprivate mutating func passed(programs: [String]) throws(FormatError) -> [String] {
    let count = Int(try passed(UInt8(clamping: programs.count)))
    guard count <= ItemLimit.others else { throw .tooLong }
    var passed: [String] = []
    for index in 0..<count {
      let program = index < programs.count ? programs[index] : ""
      passed.append(try self.passed(program, limit: ItemLimit.program))
    }
    return passed
  }
}
