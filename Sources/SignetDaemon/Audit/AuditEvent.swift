import SignetTokens
import SignetVault
import SignetVocabulary
import SignetWire

/// What happened, as the audit trail keeps it.
///
/// Its payloads are numbers, closed types and names that these give. There is no case that takes bytes or free text, so
/// that a passcode, a token or a template cannot be among them by mistake.
enum AuditEvent: Equatable, Sendable {
  case authenticated(EvidenceMethod, Finger?)
  case missed(strikes: Int)
  case poorScansExhausted(strikes: Int)
  case strikeGivenBack(strikes: Int)
  case strikeKept(strikes: Int)
  case locked(LockReason)
  case passcodeVerified
  /// A check that was cancelled counts as a wrong one.
  case wrongPasscode(count: Int, isCancelled: Bool)
  case passcodeDelayed(minutes: Int)
  case unlocked(strikes: Int)
  case lockRequested
  case reset
  case enrolled(Finger)
  case deleted(Finger)
  case released(EvidenceMethod, SessionName)
  case sessionOpened(EvidenceMethod, SessionName)
  case sessionClosed(SessionName)
  case sessionRevoked(SessionName)
  case refused(RequestKind)
  case passcodeUnavailable
  /// `nil` where the log knows more: it did not open, or signet-reader did not answer.
  case readerUnavailable(ReaderFailure?)
  case ended(Verdict)
  case stateUnusable
  case configurationUnusable
  case vaultRewrapped
  case vaultUnopened(VaultError.Cause)
  case itemReleased(EvidenceMethod)
  case itemStored(isReplaced: Bool)
  case itemDeleted
  case vaultRecovered
  case vaultReset(items: Int)
  case loginSecretReleased
  case loginSecretStored

  /// A session as it may be named: no part of its token.
  struct SessionName: Equatable, Sendable {
    let text: String

    init(_ session: Session) { text = session.identifier }
    init(_ token: borrowing UnreleasedToken) { text = token.identifier }
  }

  var kind: EventKind {
    switch self {
    case .authenticated: .authenticated
    case .missed: .missed
    case .poorScansExhausted: .poorScansExhausted
    case .strikeGivenBack: .strikeGivenBack
    case .strikeKept: .strikeKept
    case .locked: .locked
    case .passcodeVerified: .passcodeVerified
    case .wrongPasscode: .wrongPasscode
    case .passcodeDelayed: .passcodeDelayed
    case .unlocked: .unlocked
    case .lockRequested: .lockRequested
    case .reset: .reset
    case .enrolled: .enrolled
    case .deleted: .deleted
    case .released: .released
    case .sessionOpened: .sessionOpened
    case .sessionClosed: .sessionClosed
    case .sessionRevoked: .sessionRevoked
    case .refused: .refused
    case .passcodeUnavailable: .passcodeUnavailable
    case .readerUnavailable: .readerUnavailable
    case .ended: .ended
    case .stateUnusable: .stateUnusable
    case .configurationUnusable: .configurationUnusable
    case .vaultRewrapped: .vaultRewrapped
    case .vaultUnopened: .vaultUnopened
    case .itemReleased: .itemReleased
    case .itemStored: .itemStored
    case .itemDeleted: .itemDeleted
    case .vaultRecovered: .vaultRecovered
    case .vaultReset: .vaultReset
    case .loginSecretReleased: .loginSecretReleased
    case .loginSecretStored: .loginSecretStored
    }
  }

  /// The number beside the kind; see `EventKind`.
  var code: UInt8 {
    switch self {
    case .authenticated(let method, _), .released(let method, _), .sessionOpened(let method, _), .itemReleased(let method):
      method.rawValue
    case .itemStored(let isReplaced): isReplaced ? 1 : 0
    case .locked(let reason): reason.rawValue
    case .refused(let request): request.rawValue
    case .wrongPasscode(_, let isCancelled): isCancelled ? 1 : 0
    case .readerUnavailable(let failure): failure?.rawValue ?? 0
    case .ended(let verdict): verdict.rawValue
    case .vaultUnopened(let cause): cause.rawValue
    default: 0
    }
  }

  /// How many; see `EventKind`.
  var count: UInt32 {
    switch self {
    case .missed(let count), .poorScansExhausted(let count), .strikeGivenBack(let count), .strikeKept(let count),
      .wrongPasscode(let count, _), .passcodeDelayed(let count), .unlocked(let count), .vaultReset(let count):
      UInt32(clamping: count)
    default: 0
    }
  }

  /// A name; see `EventKind`.
  var detail: String {
    switch self {
    case .authenticated(_, let finger): finger?.name ?? ""
    case .enrolled(let finger), .deleted(let finger): finger.name
    case .released(_, let session), .sessionOpened(_, let session), .sessionClosed(let session), .sessionRevoked(let session):
      session.text
    default: ""
    }
  }
}
