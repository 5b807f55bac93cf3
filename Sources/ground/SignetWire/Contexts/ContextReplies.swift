#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// The rows that only applications get; the others are `AdministrationReply`'s.
private enum ContextRow {
  static var policy: UInt8 { 9 }
  static var biometry: UInt8 { 10 }
  static var opening: UInt8 { 12 }
}

/// Whether an evaluation could succeed now.
public struct PolicyRow: ~Escapable {
  /// `success`: it could. Otherwise how it would end.
  public var verdict: Verdict
  public var biometry: BiometryKind
  /// Stands for the fingers that are enrolled: `FieldLimit.domainState` bytes that change exactly when a finger is added or removed,
  /// and say nothing else; empty where there is none.
  public var domainState: Span<UInt8>

  @_lifetime(copy domainState)
  public init(_ verdict: Verdict, _ biometry: BiometryKind, domainState: Span<UInt8>) {
    self.verdict = verdict
    self.biometry = biometry
    self.domainState = domainState
  }
}

extension PolicyRow: MessageForm {
  package static var kind: UInt8 { ReplyKind.row.rawValue }

  @_lifetime(immortal)
  package init() { self.init(.notInteractive, .none, domainState: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    try fields.pass(row: ContextRow.policy)
    verdict = try fields.passed(verdict)
    biometry = try fields.passed(biometry)
    domainState = try fields.passed(domainState, noneOr: FieldLimit.domainState)
  }
}

/// How the user's fingers stand now, for a program that watches.
public struct BiometryRow: ~Escapable {
  public var state: BiometryState
  /// Why only the passcode will do.
  public var lock: LockReason
  /// As `PolicyRow.verdict`, for a finger and nothing else.
  public var verdict: Verdict
  /// As `PolicyRow.domainState`.
  public var domainState: Span<UInt8>

  @_lifetime(copy domainState)
  public init(_ state: BiometryState, _ lock: LockReason, _ verdict: Verdict, domainState: Span<UInt8>) {
    self.state = state
    self.lock = lock
    self.verdict = verdict
    self.domainState = domainState
  }
}

extension BiometryRow: MessageForm {
  package static var kind: UInt8 { ReplyKind.row.rawValue }

  @_lifetime(immortal)
  package init() { self.init(.notWorking, .none, .notInteractive, domainState: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    try fields.pass(row: ContextRow.biometry)
    state = try fields.passed(state)
    lock = try fields.passed(lock)
    verdict = try fields.passed(verdict)
    domainState = try fields.passed(domainState, noneOr: FieldLimit.domainState)
  }
}

/// What the user's vault releases from now on, for who holds something that it released before.
public struct OpeningRow: ~Escapable {
  /// Another number for each time that the vault was opened; 0 while it is closed, or the user locked.
  public var opening: UInt64
  /// Another number for each finger that logged in or unlocked the screen at the seat, which releases bindings for some minutes; 0 where
  /// none did.
  public var unlock: UInt64
  /// As `PolicyRow.domainState`.
  public var domainState: Span<UInt8>

  @_lifetime(copy domainState)
  public init(_ opening: UInt64, unlock: UInt64, domainState: Span<UInt8>) {
    self.opening = opening
    self.unlock = unlock
    self.domainState = domainState
  }
}

extension OpeningRow: MessageForm {
  package static var kind: UInt8 { ReplyKind.row.rawValue }

  @_lifetime(immortal)
  package init() { self.init(0, unlock: 0, domainState: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    try fields.pass(row: ContextRow.opening)
    opening = try fields.passed(opening)
    unlock = try fields.passed(unlock)
    domainState = try fields.passed(domainState, noneOr: FieldLimit.domainState)
  }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// What kind of row follows.
  @_lifetime(self: copy self)
  fileprivate mutating func pass(row: UInt8) throws(FormatError) {
    guard try passed(row) == row else { throw .badValue }
  }
}
