#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// The rows that only applications get; the others are `AdministrationReply`'s.
private enum ContextRow {
  static var policy: UInt8 { 9 }
  static var biometry: UInt8 { 10 }
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

  /// Reads a packet.
  @_lifetime(copy packet)
  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    try fields.beginRow(ContextRow.policy)
    verdict = Verdict(rawValue: try fields.byte())
    guard let biometry = BiometryKind(rawValue: try fields.byte()) else { throw .badValue }
    self.biometry = biometry
    domainState = try fields.domainState()
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.beginRow(ContextRow.policy)
    try packet.put(verdict.rawValue)
    try packet.put(biometry.rawValue)
    try packet.put(domainState: domainState)
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

  /// Reads a packet.
  @_lifetime(copy packet)
  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    try fields.beginRow(ContextRow.biometry)
    guard let state = BiometryState(rawValue: try fields.byte()), let lock = LockReason(rawValue: try fields.byte()) else {
      throw .badValue
    }
    self.state = state
    self.lock = lock
    verdict = Verdict(rawValue: try fields.byte())
    domainState = try fields.domainState()
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.beginRow(ContextRow.biometry)
    try packet.put(state.rawValue)
    try packet.put(lock.rawValue)
    try packet.put(verdict.rawValue)
    try packet.put(domainState: domainState)
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func beginRow(_ row: UInt8) throws(FormatError) {
    guard try header() == ReplyKind.row.rawValue, try byte() == row else { throw .badValue }
  }

  @_lifetime(copy self)
  fileprivate mutating func domainState() throws(FormatError) -> Span<UInt8> {
    let state = try string(limit: FieldLimit.domainState)
    guard state.isEmpty || state.count == FieldLimit.domainState else { throw .badValue }
    return state
  }
}

extension SecretBytes {
  fileprivate mutating func beginRow(_ row: UInt8) throws(FormatError) {
    try begin(ReplyKind.row.rawValue)
    try put(row)
  }

  fileprivate mutating func put(domainState: borrowing Span<UInt8>) throws(FormatError) {
    guard domainState.isEmpty || domainState.count == FieldLimit.domainState else { throw .badValue }
    try put(domainState, limit: FieldLimit.domainState)
  }
}
