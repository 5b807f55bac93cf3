#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// What is asked of a user's vault. An empty user name means the caller. Whoever has to prove something is asked by prompts and
/// for the passcode as in a login.
public enum VaultRequest: Equatable, Sendable {
  /// Store a new item whose value has so many bytes: `askValue`, then `done`.
  case add(user: String, Item, length: UInt32)
  /// Replace an item that is there, with all that belongs to it.
  case update(user: String, Item, length: UInt32)
  /// Release a value: `ValueReply`s, then `done`.
  case read(user: String, ItemName, mayInteract: Bool = true)
  case delete(user: String, ItemName)
  /// Forget which programs besides the one that stored it may read an item.
  case revoke(user: String, ItemName)
  /// `ItemRow`s and `vaultProblem`s, then `done`. Opens nothing.
  case list(user: String)
  /// Open the vault with the passcode before the present one, and wrap its key for the present one.
  case recover(user: String)
  /// Forget the vault's key and all its items.
  case reset(user: String)
  /// Make a new key of this name (`ItemName.Kind.key`), without attributes: a `ValueReply` with its public point, then `done`.
  case makeKey(user: String, Item)
  /// Sign `ItemLimit.digest` bytes with a key: a `ValueReply` with the signature, then `done`.
  case sign(user: String, ItemName, digest: [UInt8], mayInteract: Bool = true)

  /// Whose vault.
  public var user: String {
    switch self {
    case .add(let user, _, _), .update(let user, _, _), .read(let user, _, _), .delete(let user, _), .revoke(let user, _),
      .list(let user), .recover(let user), .reset(let user), .makeKey(let user, _), .sign(let user, _, _, _):
      user
    }
  }
}

extension VaultRequest: PacketForm {
  public func write(into packet: inout SecretBytes) throws(FormatError) { try put(into: &packet) }

  public var kind: RequestKind {
    switch self {
    case .add: .vaultAdd
    case .update: .vaultUpdate
    case .read: .vaultRead
    case .delete: .vaultDelete
    case .revoke: .vaultRevoke
    case .list: .vaultList
    case .recover: .vaultRecover
    case .reset: .vaultReset
    case .makeKey: .keyMake
    case .sign: .keySign
    }
  }

  package static let all: [VaultRequest] =
    [list, recover, reset].map { $0("") } + [delete, revoke].map { $0("", .loginSecret) } + [.read(user: "", .loginSecret)]
    + [add, update].map { $0("", .loginSecret, 0) }
    + [.makeKey(user: "", .loginSecret), .sign(user: "", .loginSecret, digest: [])]

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    let user = try fields.passed(user: user)
    switch self {
    case .add(_, let item, let length):
      self = .add(user: user, try fields.passed(item), length: try fields.passed(valueLength: length))
    case .update(_, let item, let length):
      self = .update(user: user, try fields.passed(item), length: try fields.passed(valueLength: length))
    case .read(_, let name, let mayInteract):
      self = .read(user: user, try fields.passed(name), mayInteract: try !fields.passed(!mayInteract))
    case .delete(_, let name): self = .delete(user: user, try fields.passed(name))
    case .revoke(_, let name): self = .revoke(user: user, try fields.passed(name))
    case .list: self = .list(user: user)
    case .recover: self = .recover(user: user)
    case .reset: self = .reset(user: user)
    case .makeKey(_, let item):
      let key = try fields.passed(item)
      guard key.name.kind == .key, key.attributes.isEmpty else { throw .badValue }
      self = .makeKey(user: user, key)
    case .sign(_, let name, let digest, let mayInteract):
      let key = try fields.passed(name)
      guard key.kind == .key else { throw .badValue }
      let isInteractive = try !fields.passed(!mayInteract)
      self = .sign(user: user, key, digest: try fields.passed(digest, count: ItemLimit.digest), mayInteract: isInteractive)
    }
  }
}

/// A part of a value, in order: `PacketLimit.valuePart` bytes in each but the last. A value without bytes has no part.
public struct ValueRequest: ~Escapable {
  public var part: Span<UInt8>

  @_lifetime(copy part)
  public init(part: Span<UInt8>) { self.part = part }
}

extension ValueRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.value.rawValue }

  @_lifetime(immortal)
  package init() { self.init(part: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    part = try fields.passed(part, limit: PacketLimit.valuePart)
    guard !part.isEmpty else { throw .badValue }
  }
}

/// A part of a released value, in order; `total` is the length of the whole. A value without bytes has one part without bytes.
public struct ValueReply: ~Escapable {
  public var total: UInt32
  public var part: Span<UInt8>

  @_lifetime(copy part)
  public init(total: UInt32, part: Span<UInt8>) {
    self.total = total
    self.part = part
  }
}

extension ValueReply: MessageForm {
  package static var kind: UInt8 { ReplyKind.value.rawValue }

  @_lifetime(immortal)
  package init() { self.init(total: 0, part: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    total = try fields.passed(valueLength: total)
    part = try fields.passed(part, limit: PacketLimit.valuePart)
    guard part.count <= Int(total), !part.isEmpty || total == 0 else { throw .badValue }
  }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  @_lifetime(self: copy self)
  fileprivate mutating func passed(valueLength: UInt32) throws(FormatError) -> UInt32 {
    let length = try passed(valueLength)
    guard length <= ItemLimit.value else { throw .tooLong }
    return length
  }
}
