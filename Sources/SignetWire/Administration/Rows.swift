import SignetBytes
import SignetMemory
import SignetVocabulary

/// An enrolled finger.
public struct FingerRow: Equatable, Sendable {
  public var finger: Finger
  /// The reader's identifier (`ReaderDescription.identifier`).
  public var reader: String
  /// When it was enrolled, in seconds since 1970.
  public var enrolled: UInt64

  public init(finger: Finger, reader: String, enrolled: UInt64) {
    self.finger = finger
    self.reader = reader
    self.enrolled = enrolled
  }

  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    guard let finger = try fields.finger() else { throw .badValue }
    self.finger = finger
    reader = try fields.text(limit: FieldLimit.name)
    enrolled = try fields.uint64()
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.put(finger.rawValue)
    try packet.put(text: reader, limit: FieldLimit.name)
    try packet.put(enrolled, size: 8)
  }
}

/// A user's strikes and lock.
public struct StatusRow: Equatable, Sendable {
  public var user: String
  public var uid: UInt32
  /// Misses in a row, 0 to `limit`; a scan in progress is charged already.
  public var strikes: UInt8
  /// Strikes that lock.
  public var limit: UInt8
  public var lock: LockReason
  /// Wrong passcodes in a row; 255 stands for that many or more.
  public var wrongPasscodes: UInt8
  /// Seconds until the next passcode is looked at, 0 for now.
  public var passcodeDelay: UInt32
  /// For `stateUnusable`: what is wrong with which file.
  public var fault: SystemError?

  public init(
    user: String, uid: UInt32, strikes: UInt8, limit: UInt8, lock: LockReason, wrongPasscodes: UInt8 = 0,
    passcodeDelay: UInt32 = 0, fault: SystemError? = nil
  ) {
    self.user = user
    self.uid = uid
    self.strikes = strikes
    self.limit = limit
    self.lock = lock
    self.wrongPasscodes = wrongPasscodes
    self.passcodeDelay = passcodeDelay
    self.fault = fault
  }

  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    user = try fields.text(limit: FieldLimit.user)
    uid = try fields.uint32()
    strikes = try fields.byte()
    limit = try fields.byte()
    guard let lock = LockReason(rawValue: try fields.byte()) else { throw .badValue }
    self.lock = lock
    wrongPasscodes = try fields.byte()
    passcodeDelay = try fields.uint32()
    fault = try fields.numberedOrNone(SystemError.notDirectory(""))
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.put(text: user, limit: FieldLimit.user)
    try packet.put(UInt64(uid), size: 4)
    try packet.put(strikes)
    try packet.put(limit)
    try packet.put(lock.rawValue)
    try packet.put(wrongPasscodes)
    try packet.put(UInt64(passcodeDelay), size: 4)
    try packet.put(numberedOrNone: fault)
  }
}

/// A session that holds a token.
public struct SessionRow: Equatable, Sendable {
  /// `FieldLimit.sessionIdentifier` hexadecimal digits; no part of the token.
  public var identifier: String
  public var user: String
  public var uid: UInt32
  public var service: String
  public var terminal: String
  public var method: EvidenceMethod
  /// When it was opened, in seconds since 1970.
  public var opened: UInt64

  public init(
    identifier: String, user: String, uid: UInt32, service: String, terminal: String, method: EvidenceMethod, opened: UInt64
  ) {
    self.identifier = identifier
    self.user = user
    self.uid = uid
    self.service = service
    self.terminal = terminal
    self.method = method
    self.opened = opened
  }

  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    identifier = try fields.text(limit: FieldLimit.sessionIdentifier)
    user = try fields.text(limit: FieldLimit.user)
    uid = try fields.uint32()
    service = try fields.text(limit: FieldLimit.name)
    terminal = try fields.text(limit: FieldLimit.name)
    guard let method = EvidenceMethod(rawValue: try fields.byte()) else { throw .badValue }
    self.method = method
    opened = try fields.uint64()
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.put(text: identifier, limit: FieldLimit.sessionIdentifier)
    try packet.put(text: user, limit: FieldLimit.user)
    try packet.put(UInt64(uid), size: 4)
    try packet.put(text: service, limit: FieldLimit.name)
    try packet.put(text: terminal, limit: FieldLimit.name)
    try packet.put(method.rawValue)
    try packet.put(opened, size: 8)
  }
}
