import SignetBytes
import SignetMemory
import SignetVocabulary

/// What the command line asks of signetd, besides `AuthenticateRequest`. An empty user name means the caller.
public enum AdministrationRequest: Equatable, Sendable {
  /// Enroll this finger, or the first free one; on this reader, or the only one. A finger that is enrolled already is
  /// replaced once the new template is whole. Asks for a passcode first, unless the caller is root.
  case enroll(user: String, Finger?, reader: String)
  /// Delete this finger, or all. Asks for a passcode first, unless the caller is root.
  case delete(user: String, Finger?)
  /// `FingerRow`s, then `done`.
  case list(user: String)
  /// One `StatusRow`, then `done`.
  case status(user: String)
  /// `ReaderDescription`s, then `done`.
  case readers
  /// Clear strikes and lockout; root only.
  case reset(user: String)
  /// `SessionRow`s, then `done`: the caller's, or all for root.
  case sessions
  /// Revoke one: the owner or root.
  case revokeSession(identifier: String)
  /// Require the passcode from now on, until it was used.
  case lock(user: String)
  /// The machine is about to sleep: no reader is in use when `done` comes. Root only.
  case suspend
  /// The machine is awake again. Root only.
  case resume
  /// The last `limit` (1 to 65535) `EventRow`s, oldest first, then `done`.
  case history(user: String, limit: UInt16)

  public var kind: RequestKind {
    switch self {
    case .enroll: .enroll
    case .delete: .delete
    case .list: .list
    case .status: .status
    case .readers: .readers
    case .reset: .reset
    case .sessions: .sessions
    case .revokeSession: .revokeSession
    case .lock: .lock
    case .history: .history
    case .suspend: .suspend
    case .resume: .resume
    }
  }

  /// Whom it is about; `nil` where it is about nobody.
  public var user: String? {
    switch self {
    case .enroll(let user, _, _), .delete(let user, _), .list(let user), .status(let user), .reset(let user), .lock(let user),
      .history(let user, _):
      user
    case .readers, .sessions, .revokeSession, .suspend, .resume: nil
    }
  }

  public init(kind: RequestKind, parsing fields: consuming ByteReader) throws(FormatError) {
    switch kind {
    case .enroll:
      let user = try fields.text(limit: FieldLimit.user)
      let finger = try fields.finger()
      self = .enroll(user: user, finger, reader: try fields.text(limit: FieldLimit.name))
    case .delete:
      let user = try fields.text(limit: FieldLimit.user)
      self = .delete(user: user, try fields.finger())
    case .list: self = .list(user: try fields.text(limit: FieldLimit.user))
    case .status: self = .status(user: try fields.text(limit: FieldLimit.user))
    case .readers: self = .readers
    case .reset: self = .reset(user: try fields.text(limit: FieldLimit.user))
    case .sessions: self = .sessions
    case .revokeSession: self = .revokeSession(identifier: try fields.text(limit: FieldLimit.sessionIdentifier))
    case .lock: self = .lock(user: try fields.text(limit: FieldLimit.user))
    case .suspend: self = .suspend
    case .resume: self = .resume
    case .history:
      let user = try fields.text(limit: FieldLimit.user)
      let limit = try fields.uint16()
      guard limit >= 1 else { throw .badValue }
      self = .history(user: user, limit: limit)
    case .authenticate, .passcode, .fallback, .cancel, .openSession, .closeSession, .value, .passcodeChanged, .vaultAdd,
      .vaultUpdate, .vaultRead, .vaultDelete, .vaultList, .vaultRecover, .vaultReset:
      throw .badValue
    }
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    switch self {
    case .enroll(let user, let finger, let reader):
      try packet.begin(RequestKind.enroll.rawValue)
      try packet.put(text: user, limit: FieldLimit.user)
      try packet.put(finger?.rawValue ?? 0)
      try packet.put(text: reader, limit: FieldLimit.name)
    case .delete(let user, let finger):
      try packet.begin(RequestKind.delete.rawValue)
      try packet.put(text: user, limit: FieldLimit.user)
      try packet.put(finger?.rawValue ?? 0)
    case .list(let user):
      try packet.begin(RequestKind.list.rawValue)
      try packet.put(text: user, limit: FieldLimit.user)
    case .status(let user):
      try packet.begin(RequestKind.status.rawValue)
      try packet.put(text: user, limit: FieldLimit.user)
    case .readers: try packet.begin(RequestKind.readers.rawValue)
    case .reset(let user):
      try packet.begin(RequestKind.reset.rawValue)
      try packet.put(text: user, limit: FieldLimit.user)
    case .sessions: try packet.begin(RequestKind.sessions.rawValue)
    case .revokeSession(let identifier):
      try packet.begin(RequestKind.revokeSession.rawValue)
      try packet.put(text: identifier, limit: FieldLimit.sessionIdentifier)
    case .lock(let user):
      try packet.begin(RequestKind.lock.rawValue)
      try packet.put(text: user, limit: FieldLimit.user)
    case .suspend: try packet.begin(RequestKind.suspend.rawValue)
    case .resume: try packet.begin(RequestKind.resume.rawValue)
    case .history(let user, let limit):
      guard limit >= 1 else { throw .badValue }
      try packet.begin(RequestKind.history.rawValue)
      try packet.put(text: user, limit: FieldLimit.user)
      try packet.put(UInt64(limit), size: 2)
    }
  }
}

extension ByteReader {
  /// A finger's number, or 0 for none.
  @_lifetime(self: copy self)
  mutating func finger() throws(FormatError) -> Finger? {
    let number = try byte()
    if number == 0 { return nil }
    guard let finger = Finger(rawValue: number) else { throw .badValue }
    return finger
  }
}
