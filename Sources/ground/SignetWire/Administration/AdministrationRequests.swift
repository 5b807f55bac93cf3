#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

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
  /// Take over the fingers that fprintd has of the user: an `ImportRow` for each, then `done`. Asks for a passcode first, where
  /// there is any, unless the caller is root.
  case importFprintd(user: String)
  /// Whether a finger is the user's. `EvaluatedReply` ends it; nothing is released.
  case verify(VerifyRequest)

  /// Whom it is about; `nil` where it is about nobody.
  public var user: String? {
    switch self {
    case .enroll(let user, _, _), .delete(let user, _), .list(let user), .status(let user), .reset(let user), .lock(let user),
      .history(let user, _), .importFprintd(let user):
      user
    case .verify(let request): request.user
    case .readers, .sessions, .revokeSession, .suspend, .resume: nil
    }
  }
}

extension AdministrationRequest: PacketForm {
  public func write(into packet: inout SecretBytes) throws(FormatError) { try put(into: &packet) }

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
    case .importFprintd: .importFprintd
    case .verify: .verify
    }
  }

  package static let all: [AdministrationRequest] =
    [
      .enroll(user: "", nil, reader: ""), .delete(user: "", nil), .readers, .sessions, .revokeSession(identifier: ""), .suspend,
      .resume, .history(user: "", limit: 1), .verify(.blank),
    ] + [list, status, reset, lock, importFprintd].map { $0("") }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    switch self {
    case .enroll(let user, let finger, let reader):
      self = .enroll(
        user: try fields.passed(user: user), try fields.passed(orNone: finger),
        reader: try fields.passed(reader, limit: FieldLimit.name))
    case .delete(let user, let finger):
      self = .delete(user: try fields.passed(user: user), try fields.passed(orNone: finger))
    case .list(let user): self = .list(user: try fields.passed(user: user))
    case .status(let user): self = .status(user: try fields.passed(user: user))
    case .reset(let user): self = .reset(user: try fields.passed(user: user))
    case .lock(let user): self = .lock(user: try fields.passed(user: user))
    case .importFprintd(let user): self = .importFprintd(user: try fields.passed(user: user))
    case .revokeSession(let identifier):
      self = .revokeSession(identifier: try fields.passed(identifier, limit: FieldLimit.sessionIdentifier))
    case .verify(let request): self = .verify(try fields.passed(request))
    case .history(let user, let limit):
      self = .history(user: try fields.passed(user: user), limit: try fields.passed(atLeastOne: limit))
    case .readers, .sessions, .suspend, .resume: break
    }
  }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  @_lifetime(self: copy self)
  mutating func passed(user: String) throws(FormatError) -> String { try passed(user, limit: FieldLimit.user) }

  @_lifetime(self: copy self)
  fileprivate mutating func passed(atLeastOne number: UInt16) throws(FormatError) -> UInt16 {
    let number = try passed(number)
    guard number >= 1 else { throw .badValue }
    return number
  }
}
