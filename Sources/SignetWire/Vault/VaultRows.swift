import SignetBytes
import SignetMemory
import SignetVocabulary

/// An item as it is listed; its value is nowhere in it.
public struct ItemRow: Equatable, Sendable {
  public var item: Item
  /// Seconds since 1970.
  public var created: UInt64
  /// Seconds since 1970.
  public var modified: UInt64
  /// False where the fingers changed since, and no finger opens what only those could.
  public var isOfCurrentSet: Bool

  public init(item: Item, created: UInt64, modified: UInt64, isOfCurrentSet: Bool) {
    self.item = item
    self.created = created
    self.modified = modified
    self.isOfCurrentSet = isOfCurrentSet
  }

  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    item = try Item(parsing: &fields)
    created = try fields.uint64()
    modified = try fields.uint64()
    isOfCurrentSet = try fields.flag()
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    try item.write(into: &packet)
    try packet.put(created, size: 8)
    try packet.put(modified, size: 8)
    try packet.put(isOfCurrentSet ? 1 : 0)
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

  public init(state: VaultState, items: UInt16 = 0, lost: UInt16 = 0, hasLoginSecret: Bool = false, fault: VaultError? = nil) {
    self.state = state
    self.items = items
    self.lost = lost
    self.hasLoginSecret = hasLoginSecret
    self.fault = fault
  }

  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    guard let state = VaultState(rawValue: try fields.byte()) else { throw .badValue }
    self.state = state
    items = try fields.uint16()
    lost = try fields.uint16()
    hasLoginSecret = try fields.flag()
    fault = try fields.numberedOrNone(VaultError.noKey)
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.put(state.rawValue)
    try packet.put(UInt64(items), size: 2)
    try packet.put(UInt64(lost), size: 2)
    try packet.put(hasLoginSecret ? 1 : 0)
    try packet.put(numberedOrNone: fault)
  }
}

extension ItemName {
  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    guard let kind = Kind(rawValue: try fields.byte()) else { throw .badValue }
    let service = try fields.text(limit: ItemLimit.name)
    self.init(kind: kind, service: service, account: try fields.text(limit: ItemLimit.name))
    guard isValid else { throw .badValue }
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    guard isValid else { throw .badValue }
    try packet.put(kind.rawValue)
    try packet.put(text: service, limit: ItemLimit.name)
    try packet.put(text: account, limit: ItemLimit.name)
  }
}

extension Item {
  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    let name = try ItemName(parsing: &fields)
    let label = try fields.text(limit: ItemLimit.text)
    let comment = try fields.text(limit: ItemLimit.text)
    let constraints = AccessControl.Constraints(rawValue: try fields.byte())
    guard let connective = AccessControl.Connective(rawValue: try fields.byte()),
      let accessibility = Accessibility(rawValue: try fields.byte())
    else { throw .badValue }
    self.init(
      name, label: label, comment: comment, accessControl: AccessControl(constraints, connective), accessibility: accessibility)
    guard isValid else { throw .badValue }
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    guard isValid else { throw .badValue }
    try name.write(into: &packet)
    try packet.put(text: label, limit: ItemLimit.text)
    try packet.put(text: comment, limit: ItemLimit.text)
    try packet.put(accessControl.constraints.rawValue)
    try packet.put(accessControl.connective.rawValue)
    try packet.put(accessibility.rawValue)
  }
}
