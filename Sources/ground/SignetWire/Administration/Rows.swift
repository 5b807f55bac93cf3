#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// An enrolled finger.
public struct FingerRow: Equatable, Sendable {
  public var finger: Finger
  /// The reader's identifier (`ReaderDescription.identifier`).
  public var reader: String
  /// When it was enrolled, in seconds since 1970.
  public var enrolled: UInt64
  /// Whether it is the one of its reader that is asked for first, where the reader compares with one at a time.
  public var isFirst: Bool

  public init(finger: Finger, reader: String, enrolled: UInt64, isFirst: Bool = false) {
    self.finger = finger
    self.reader = reader
    self.enrolled = enrolled
    self.isFirst = isFirst
  }
}

extension FingerRow: FieldForm {
  static let blank = FingerRow(finger: .leftThumb, reader: "", enrolled: 0)

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = FingerRow(
      finger: try fields.passed(finger), reader: try fields.passed(reader, limit: FieldLimit.name),
      enrolled: try fields.passed(enrolled), isFirst: try fields.passed(isFirst))
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
  /// Wrong passcodes in a row from where the status is asked for, or where that is a stranger, from the user; 255 stands for
  /// that many or more.
  public var wrongPasscodes: UInt8
  /// Seconds until the next passcode from there is looked at, 0 for now.
  public var passcodeDelay: UInt32
  /// The same of everywhere else: their sum, and the longest delay.
  public var wrongElsewhere: UInt8
  public var delayElsewhere: UInt32
  /// Where the device key is, and the registers of the TPM that it is sealed for (bit n is PCR n).
  public var keys: KeyHome
  public var pcrs: UInt32
  /// Where the key is that signs access tokens.
  public var tokenKey: TokenKeyHome
  /// Whether the first finger after a restart opens the vault.
  public var afterRestart: FingerAfterRestart
  /// For `stateUnusable`: what is wrong with which file.
  public var fault: SystemError?

  public init(
    user: String, uid: UInt32, strikes: UInt8, limit: UInt8, lock: LockReason, wrongPasscodes: UInt8 = 0,
    passcodeDelay: UInt32 = 0, wrongElsewhere: UInt8 = 0, delayElsewhere: UInt32 = 0, keys: KeyHome = .none,
    pcrs: UInt32 = 0, tokenKey: TokenKeyHome = .none, afterRestart: FingerAfterRestart = .off, fault: SystemError? = nil
  ) {
    self.user = user
    self.uid = uid
    self.strikes = strikes
    self.limit = limit
    self.lock = lock
    self.wrongPasscodes = wrongPasscodes
    self.passcodeDelay = passcodeDelay
    self.wrongElsewhere = wrongElsewhere
    self.delayElsewhere = delayElsewhere
    self.keys = keys
    self.pcrs = pcrs
    self.tokenKey = tokenKey
    self.afterRestart = afterRestart
    self.fault = fault
  }
}

extension StatusRow: FieldForm {
  static let blank = StatusRow(user: "", uid: 0, strikes: 0, limit: 0, lock: .none)

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = StatusRow(
      user: try fields.passed(user: user), uid: try fields.passed(uid), strikes: try fields.passed(strikes),
      limit: try fields.passed(limit), lock: try fields.passed(lock), wrongPasscodes: try fields.passed(wrongPasscodes),
      passcodeDelay: try fields.passed(passcodeDelay), wrongElsewhere: try fields.passed(wrongElsewhere),
      delayElsewhere: try fields.passed(delayElsewhere), keys: try fields.passed(keys), pcrs: try fields.passed(pcrs),
      tokenKey: try fields.passed(tokenKey), afterRestart: try fields.passed(afterRestart),
      fault: try fields.passed(orNone: fault))
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
  /// When its token was last used.
  public var used: UInt64
  /// When it ends, if its token is not used before.
  public var expires: UInt64

  public init(
    identifier: String, user: String, uid: UInt32, service: String, terminal: String, method: EvidenceMethod, opened: UInt64,
    used: UInt64, expires: UInt64
  ) {
    self.identifier = identifier
    self.user = user
    self.uid = uid
    self.service = service
    self.terminal = terminal
    self.method = method
    self.opened = opened
    self.used = used
    self.expires = expires
  }
}

extension SessionRow: FieldForm {
  static let blank = SessionRow(
    identifier: "", user: "", uid: 0, service: "", terminal: "", method: .none, opened: 0, used: 0,
    expires: 0)

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = SessionRow(
      identifier: try fields.passed(identifier, limit: FieldLimit.sessionIdentifier), user: try fields.passed(user: user),
      uid: try fields.passed(uid), service: try fields.passed(service, limit: FieldLimit.name),
      terminal: try fields.passed(terminal, limit: FieldLimit.name), method: try fields.passed(method),
      opened: try fields.passed(opened), used: try fields.passed(used), expires: try fields.passed(expires))
  }
}
