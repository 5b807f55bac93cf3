import SignetBytes
import SignetMemory
import SignetVocabulary

/// What happened to a user's fingers, passcode or sessions. The numbers are on the wire and on disk: they never change
/// their meaning.
public enum EventKind: UInt8, CaseIterable, Sendable {
  /// A finger or the passcode was right. Code: `EvidenceMethod`. Detail: the finger.
  case authenticated = 1
  /// A scan did not match. Count: strikes now.
  case missed = 2
  /// An evaluation's poor scans are used up, which is charged. Count: strikes now.
  case poorScansExhausted = 3
  /// A charged scan ended before any finger decided anything. Count: strikes now.
  case strikeGivenBack = 4
  /// A charged scan ended, and a finger may have decided something. Count: strikes now.
  case strikeKept = 5
  /// The fingerprints are locked. Code: `LockReason`.
  case locked = 6
  case passcodeVerified = 7
  /// Count: wrong passcodes in a row. Code: 1 where the check was cancelled, which counts as well.
  case wrongPasscode = 8
  /// The passcode was not asked for. Count: minutes left.
  case passcodeDelayed = 9
  /// The passcode cleared strikes or a lock. Count: the strikes that there were.
  case unlocked = 10
  /// `signet lock`, or whoever locks for the user.
  case lockRequested = 11
  /// Root cleared strikes and lock.
  case reset = 12
  /// Detail: the finger.
  case enrolled = 13
  /// Detail: the finger.
  case deleted = 14
  /// A token was released. Code: `EvidenceMethod`. Detail: its session's identifier.
  case released = 15
  /// Code: `EvidenceMethod`. Detail: the session's identifier.
  case sessionOpened = 16
  /// Detail: the session's identifier.
  case sessionClosed = 17
  /// Detail: the session's identifier.
  case sessionRevoked = 18
  /// The requester asked what they may not. Code: `RequestKind`.
  case refused = 19
  /// The passcode could not be checked.
  case passcodeUnavailable = 20
  /// The reader could not be used. Code: a `ReaderFailure`, or 0 where none is known.
  case readerUnavailable = 21
  /// An evaluation ended without evidence. Code: a `Verdict`.
  case ended = 22
  /// The state on disk cannot be used or written.
  case stateUnusable = 23
  /// signetd did not start because of its configuration.
  case configurationUnusable = 24
  /// A part of the history cannot be read, or was left out. Count: bytes, or with code 1 events.
  case gap = 25
  /// A new passcode opens the vault from now on.
  case vaultRewrapped = 26
  /// The passcode was right, and did not open the vault. Code: a cause, as SignetVault's `VaultError` has them.
  case vaultUnopened = 27
  /// An item's value was released. Code: an `EvidenceMethod`, of the last proof; `none` where the item asks for none.
  case itemReleased = 28
  /// An item was stored. Code: 1 where it replaced another.
  case itemStored = 29
  case itemDeleted = 30
  /// A key that was not lost opens the vault with the present passcode again.
  case vaultRecovered = 31
  /// The vault was emptied. Count: how many items that cost.
  case vaultReset = 32
  /// A finger handed the login secret to the session.
  case loginSecretReleased = 33
  /// The login secret was stored from a verified passcode.
  case loginSecretStored = 34
}

/// The process that asked, as the kernel knows it, and what it said of itself.
public struct EventRequester: Equatable, Sendable {
  /// 0 where signetd did something by itself.
  public var pid: UInt32
  public var uid: UInt32
  /// Who logged in, whoever they became since (`/proc/PID/loginuid`); all ones where nobody did.
  public var loginUser: UInt32
  /// The audit session (`/proc/PID/sessionid`); all ones where there is none.
  public var session: UInt32
  /// The program's path; where that is hidden its name, which the process may choose.
  public var program: String
  /// As the requester says.
  public var service: String
  /// As the requester says.
  public var terminal: String

  /// No user, no session: `(uid_t)-1`.
  public static var none: UInt32 { .max }

  public init(
    pid: UInt32 = 0, uid: UInt32 = 0, loginUser: UInt32 = none, session: UInt32 = none, program: String = "",
    service: String = "", terminal: String = ""
  ) {
    self.pid = pid
    self.uid = uid
    self.loginUser = loginUser
    self.session = session
    self.program = program
    self.service = service
    self.terminal = terminal
  }

  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    pid = try fields.uint32()
    uid = try fields.uint32()
    loginUser = try fields.uint32()
    session = try fields.uint32()
    program = try fields.text(limit: FieldLimit.program)
    service = try fields.text(limit: FieldLimit.name)
    terminal = try fields.text(limit: FieldLimit.name)
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    for number in [pid, uid, loginUser, session] { try packet.put(UInt64(number), size: 4) }
    try packet.put(text: program, limit: FieldLimit.program)
    try packet.put(text: service, limit: FieldLimit.name)
    try packet.put(text: terminal, limit: FieldLimit.name)
  }
}

/// One event of a user's history.
public struct EventRow: Equatable, Sendable {
  /// Seconds since 1970, by the clock of then.
  public var time: UInt64
  public var kind: EventKind
  /// See the kind.
  public var code: UInt8
  /// See the kind.
  public var count: UInt32
  /// See the kind.
  public var detail: String
  public var requester: EventRequester

  public init(
    time: UInt64, kind: EventKind, code: UInt8 = 0, count: UInt32 = 0, detail: String = "", requester: EventRequester
  ) {
    self.time = time
    self.kind = kind
    self.code = code
    self.count = count
    self.detail = detail
    self.requester = requester
  }

  @_lifetime(fields: copy fields)
  public init(parsing fields: inout ByteReader) throws(FormatError) {
    time = try fields.uint64()
    guard let kind = EventKind(rawValue: try fields.byte()) else { throw .badValue }
    self.kind = kind
    code = try fields.byte()
    count = try fields.uint32()
    detail = try fields.text(limit: FieldLimit.name)
    requester = try EventRequester(parsing: &fields)
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.put(time, size: 8)
    try packet.put(kind.rawValue)
    try packet.put(code)
    try packet.put(UInt64(count), size: 4)
    try packet.put(text: detail, limit: FieldLimit.name)
    try requester.write(into: &packet)
  }
}
