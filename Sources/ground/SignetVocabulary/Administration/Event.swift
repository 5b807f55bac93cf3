/// What happened to a user's fingers, passcode, sessions or vault.
///
/// Its parameters are numbers, closed types and names that these give. There is no case that takes bytes or free text, so
/// that a passcode, a token or a template cannot be among them by mistake.
///
/// An event's form on the wire and on disk, its fields in the journal and its keys in JSON follow from its parameters.
/// Besides this file, an event has an entry in SignetDaemon's `EventEntry`, a sentence in SignetWords' `EventWords`, and
/// a line each in PROTOCOL.md and signetd(8).
public enum Event: Equatable, Sendable {
  /// A finger or the passcode was right.
  case authenticated(EvidenceMethod, Finger?)
  /// A scan did not match. The strikes are those after it, here and in the next three.
  case missed(strikes: Int)
  /// An evaluation's poor scans are used up, which is charged.
  case poorScansExhausted(strikes: Int)
  /// A charged scan ended before any finger decided anything.
  case strikeGivenBack(strikes: Int)
  /// A charged scan ended, and a finger may have decided something.
  case strikeKept(strikes: Int)
  /// The fingerprints are locked.
  case locked(LockReason)
  case passcodeVerified
  /// So many in a row. A check that was cancelled counts as a wrong one.
  case wrongPasscode(count: Int, isCancelled: Bool)
  /// The passcode was not asked for: so many minutes are left.
  case passcodeDelayed(minutes: Int)
  /// The passcode cleared the strikes that there were, or a lock.
  case unlocked(strikes: Int)
  /// `signet lock`, or whoever locks for the user.
  case lockRequested
  /// Root cleared strikes and lock.
  case reset
  case enrolled(Finger)
  /// A finger that fprintd had is enrolled from now on.
  case imported(Finger)
  case deleted(Finger)
  /// A token was released.
  case released(EvidenceMethod, SessionName)
  case sessionOpened(EvidenceMethod, SessionName)
  case sessionClosed(SessionName)
  case sessionRevoked(SessionName)
  /// The requester asked what they may not.
  case refused(RequestKind)
  /// The passcode could not be checked.
  case passcodeUnavailable
  /// `nil` where the log knows more: it did not open, or signet-reader did not answer.
  case readerUnavailable(ReaderFailure?)
  /// An evaluation ended without evidence.
  case ended(Verdict)
  /// The state on disk cannot be used or written.
  case stateUnusable
  /// signetd did not start because of its configuration.
  case configurationUnusable
  /// A part of the history cannot be read, or was left out.
  case gap(Int, Gap)
  /// A new passcode opens the vault from now on.
  case vaultRewrapped
  /// The passcode was right, and did not open the vault.
  case vaultUnopened(VaultCause)
  /// An item's value was released. The method is that of the last proof; `none` where the item asks for none.
  case itemReleased(EvidenceMethod)
  case itemStored(isReplaced: Bool)
  case itemDeleted
  /// A change of the enrolled fingers cost so many items, which were bound to those before.
  case itemsLost(items: Int)
  /// A key that was not lost opens the vault with the present passcode again.
  case vaultRecovered
  /// The vault was emptied, which cost so many items.
  case vaultReset(items: Int)
  /// A finger handed the login secret to the session.
  case loginSecretReleased
  /// The login secret was stored from a verified passcode.
  case loginSecretStored
  /// A signed access token was issued for a session.
  case accessTokenIssued(SessionName)
  /// A refresh token of a session was used twice: its chain has ended.
  case refreshTokenReused(SessionName)
  /// A key was made, which signs and never leaves signetd.
  case keyMade
  /// A key signed. The method is as of `itemReleased`.
  case keySigned(EvidenceMethod)
  /// A key and another's public one agreed on a secret, which was released. The method is as of `itemReleased`.
  case keyAgreed(EvidenceMethod)
  /// A passkey was made, signed, or was deleted.
  case passkeyMade(PasskeyName)
  case passkeyUsed(EvidenceMethod, PasskeyName)
  case passkeyDeleted(PasskeyName)
  /// So many more events of this kind, or more, by the same requester, have no row of their own.
  case repeated(Kind, count: Int)

  /// What a gap counts.
  public enum Gap: UInt8, Sendable { case bytes = 0, events = 1 }

  /// An event without its parameters. The numbers are on the wire and on disk: they never change their meaning.
  public enum Kind: UInt8, CaseIterable, Sendable {
    case authenticated = 1, missed, poorScansExhausted, strikeGivenBack, strikeKept, locked, passcodeVerified
    case wrongPasscode = 8, passcodeDelayed, unlocked, lockRequested, reset, enrolled, deleted, released, sessionOpened
    case sessionClosed = 17, sessionRevoked, refused, passcodeUnavailable, readerUnavailable, ended, stateUnusable
    case configurationUnusable = 24, gap, vaultRewrapped, vaultUnopened, itemReleased, itemStored, itemDeleted
    case vaultRecovered = 31, vaultReset, loginSecretReleased, loginSecretStored, repeated
    case accessTokenIssued = 36, refreshTokenReused, imported, itemsLost, keyMade, keySigned
    case keyAgreed = 42
    case passkeyMade = 43, passkeyUsed, passkeyDeleted
  }

  /// Its kind, and its parameters in the order in which the journal shows them.
  private var parts: (kind: Kind, parameters: [EventParameter]) {
    switch self {
    case .authenticated(let method, let finger): (.authenticated, [.method(method), .finger(finger)])
    case .missed(let strikes): (.missed, [.strikes(strikes)])
    case .poorScansExhausted(let strikes): (.poorScansExhausted, [.strikes(strikes)])
    case .strikeGivenBack(let strikes): (.strikeGivenBack, [.strikes(strikes)])
    case .strikeKept(let strikes): (.strikeKept, [.strikes(strikes)])
    case .locked(let reason): (.locked, [.lock(reason)])
    case .passcodeVerified: (.passcodeVerified, [])
    case .wrongPasscode(let count, let isCancelled): (.wrongPasscode, [.count(count), .isCancelled(isCancelled)])
    case .passcodeDelayed(let minutes): (.passcodeDelayed, [.minutes(minutes)])
    case .unlocked(let strikes): (.unlocked, [.strikes(strikes)])
    case .lockRequested: (.lockRequested, [])
    case .reset: (.reset, [])
    case .enrolled(let finger): (.enrolled, [.finger(finger)])
    case .imported(let finger): (.imported, [.finger(finger)])
    case .deleted(let finger): (.deleted, [.finger(finger)])
    case .released(let method, let session): (.released, [.session(session), .method(method)])
    case .sessionOpened(let method, let session): (.sessionOpened, [.session(session), .method(method)])
    case .sessionClosed(let session): (.sessionClosed, [.session(session)])
    case .sessionRevoked(let session): (.sessionRevoked, [.session(session)])
    case .refused(let request): (.refused, [.request(request)])
    case .passcodeUnavailable: (.passcodeUnavailable, [])
    case .readerUnavailable(let failure): (.readerUnavailable, [.failure(failure)])
    case .ended(let verdict): (.ended, [.verdict(verdict)])
    case .stateUnusable: (.stateUnusable, [])
    case .configurationUnusable: (.configurationUnusable, [])
    case .gap(let count, let unit): (.gap, [.count(count), .gap(unit)])
    case .vaultRewrapped: (.vaultRewrapped, [])
    case .vaultUnopened(let cause): (.vaultUnopened, [.cause(cause)])
    case .itemReleased(let method): (.itemReleased, [.method(method)])
    case .itemStored(let isReplaced): (.itemStored, [.isReplaced(isReplaced)])
    case .itemDeleted: (.itemDeleted, [])
    case .itemsLost(let items): (.itemsLost, [.items(items)])
    case .vaultRecovered: (.vaultRecovered, [])
    case .vaultReset(let items): (.vaultReset, [.items(items)])
    case .loginSecretReleased: (.loginSecretReleased, [])
    case .loginSecretStored: (.loginSecretStored, [])
    case .accessTokenIssued(let session): (.accessTokenIssued, [.session(session)])
    case .refreshTokenReused(let session): (.refreshTokenReused, [.session(session)])
    case .keyMade: (.keyMade, [])
    case .keySigned(let method): (.keySigned, [.method(method)])
    case .keyAgreed(let method): (.keyAgreed, [.method(method)])
    case .passkeyMade(let passkey): (.passkeyMade, [.passkey(passkey)])
    case .passkeyUsed(let method, let passkey): (.passkeyUsed, [.passkey(passkey), .method(method)])
    case .passkeyDeleted(let passkey): (.passkeyDeleted, [.passkey(passkey)])
    case .repeated(let kind, let count): (.repeated, [.kind(kind), .count(count)])
    }
  }

  public var kind: Kind { parts.kind }
  public var parameters: [EventParameter] { parts.parameters }
  /// Its form on the wire and on disk.
  public var form: EventForm { EventForm(kind, parameters) }

  /// The event of this form; `nil` where it is none's.
  public init?(_ form: EventForm) {
    guard let event = try? Event(reading: form), event.form == form else { return nil }
    self = event
  }

  /// The event of this kind, with what it takes of the form: whether the form says more is not looked at.
  private init(reading form: EventForm) throws(EventForm.Fault) {
    switch form.kind {
    case .authenticated: self = .authenticated(try form.value(), try form.optionalFinger())
    case .missed: self = .missed(strikes: form.number)
    case .poorScansExhausted: self = .poorScansExhausted(strikes: form.number)
    case .strikeGivenBack: self = .strikeGivenBack(strikes: form.number)
    case .strikeKept: self = .strikeKept(strikes: form.number)
    case .locked: self = .locked(try form.value())
    case .passcodeVerified: self = .passcodeVerified
    case .wrongPasscode: self = .wrongPasscode(count: form.number, isCancelled: form.flag)
    case .passcodeDelayed: self = .passcodeDelayed(minutes: form.number)
    case .unlocked: self = .unlocked(strikes: form.number)
    case .lockRequested: self = .lockRequested
    case .reset: self = .reset
    case .enrolled: self = .enrolled(try form.finger())
    case .imported: self = .imported(try form.finger())
    case .deleted: self = .deleted(try form.finger())
    case .released: self = .released(try form.value(), try form.session())
    case .sessionOpened: self = .sessionOpened(try form.value(), try form.session())
    case .sessionClosed: self = .sessionClosed(try form.session())
    case .sessionRevoked: self = .sessionRevoked(try form.session())
    case .refused: self = .refused(try form.value())
    case .passcodeUnavailable: self = .passcodeUnavailable
    case .readerUnavailable: self = .readerUnavailable(try form.optionalValue())
    case .ended: self = .ended(try form.value())
    case .stateUnusable: self = .stateUnusable
    case .configurationUnusable: self = .configurationUnusable
    case .gap: self = .gap(form.number, try form.value())
    case .vaultRewrapped: self = .vaultRewrapped
    case .vaultUnopened: self = .vaultUnopened(try form.value())
    case .itemReleased: self = .itemReleased(try form.value())
    case .itemStored: self = .itemStored(isReplaced: form.flag)
    case .itemDeleted: self = .itemDeleted
    case .itemsLost: self = .itemsLost(items: form.number)
    case .vaultRecovered: self = .vaultRecovered
    case .vaultReset: self = .vaultReset(items: form.number)
    case .loginSecretReleased: self = .loginSecretReleased
    case .loginSecretStored: self = .loginSecretStored
    case .accessTokenIssued: self = .accessTokenIssued(try form.session())
    case .refreshTokenReused: self = .refreshTokenReused(try form.session())
    case .keyMade: self = .keyMade
    case .keySigned: self = .keySigned(try form.value())
    case .keyAgreed: self = .keyAgreed(try form.value())
    case .passkeyMade: self = .passkeyMade(try form.passkey())
    case .passkeyUsed: self = .passkeyUsed(try form.value(), try form.passkey())
    case .passkeyDeleted: self = .passkeyDeleted(try form.passkey())
    case .repeated: self = .repeated(try form.value(), count: form.number)
    }
  }
}
