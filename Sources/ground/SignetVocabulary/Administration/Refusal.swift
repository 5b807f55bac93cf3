/// Why signetd refuses a request: what can be said of it, with the facts that belong to it. The sentences are SignetWords'
/// `RefusalText`, the numbers SignetWire's.
public enum Refusal: Error, Hashable, Sendable {
  // MARK: - who may ask

  /// Only root may do this.
  case permissionDenied
  /// Only root may act for another user.
  case otherUser
  /// signet-logind asked for something else than a lock.
  case notForSessionLocker
  /// Somebody else's passcode was said to have changed.
  case otherUsersPasscode
  /// The login secret was to be read by something else than a login.
  case loginSecretIsForLogins
  case unknownUser(String)
  /// The caller's own uid has no account.
  case unknownUID(UInt32)

  // MARK: - readers

  /// signet-reader does not answer.
  case readerUnavailable
  /// signet-reader does not start.
  case readerNotStarted
  /// signet-reader ended meanwhile.
  case readerEnded
  case readerBusy(service: String, user: String)
  /// The machine is about to sleep.
  case asleep
  case noMemory
  case noReader
  /// One of these identifiers has to be chosen.
  case severalReaders([String])
  case noSuchReader(String)
  case readerNotOpened(String)
  case readerSilent(String)
  /// `detail` is what the reader's driver says, in its own words.
  case readerFailed(String, ReaderFailure, detail: String)

  // MARK: - fingers

  /// `nil`: no finger at all.
  case notEnrolled(user: String, Finger?)
  /// The finger is enrolled as this one.
  case duplicateFinger(Finger)
  /// The reader of this name says that the finger is enrolled.
  case duplicateOnReader(String)
  case allFingersEnrolled
  /// The reader's own memory is full.
  case storageFull(String)
  /// It is full, and could not be cleared of what nobody owns. `detail` as in `readerFailed`.
  case storageNotCleared(String, detail: String)
  /// The fingers are deleted and what the vault kept for them is destroyed, but something is wrong with it.
  case deletedWithFault(VaultError)
  /// The fingers are deleted, but what the vault keeps for them is not destroyed.
  case deletedButKept(VaultError)

  // MARK: - proofs

  case cancelled
  case passcodeFailed
  case passcodeNotSet(user: String)
  /// Too many wrong passcodes: none is looked at for a while.
  case passcodeDelayed
  /// Something would have to be asked for, which the request forbids.
  case interactionNotAllowed
  /// The passcode could not be checked.
  case passcodeUnchecked
  /// Neither a finger nor a passcode proved anything.
  case notVerified
  /// Only a finger will do, and the passcode was asked for.
  case fingerOnly
  /// Only a finger will do, and none is enrolled.
  case fingerOnlyNoneEnrolled
  /// Fingerprints or passcodes are locked.
  case locked
  /// Neither a finger nor a passcode could be asked for.
  case nothingToAsk
  /// The verdicts of the same names.
  case accountClosed, passcodeExpired, accountUnknown

  // MARK: - state and sessions

  case stateUnusable(SystemError)
  /// The lock holds until signetd ends, and not longer.
  case lockNotKept(SystemError)
  /// `passcode_after_lock` is off.
  case lockSwitchedOff
  /// No session waits for this token.
  case noSessionForToken
  /// The key of a session is not the one that the caller made for its token.
  case foreignSessionKey
  /// The user has as many open sessions as one may have.
  case tooManySessions
  /// The caller has no session of this identifier.
  case noSuchSession(String)
  /// The token is of no open session, or the refresh token of none, or it is another user's.
  case noOpenSession
  /// The refresh token was used before, so that its chain has ended.
  case refreshTokenReused
  /// What was sealed is another session's, or a lock came in between.
  case sealBroken
  /// OpenSSL's library, which signs, is missing.
  case noSigningLibrary

  // MARK: - the vault

  /// A key's value is in signetd alone: it is not read, and nothing is stored in its place.
  case keyOnlySigns
  /// The key is in the TPM, which did not sign; with the code that it or its library gave.
  case keyNotSigned(TPMFault, code: UInt32)
  /// There is no such item.
  case notFound
  case duplicateItem
  case vaultFull
  /// The fingers changed, and nothing opens the item any more.
  case fingersChanged
  /// The vault does not open, or its files are at fault.
  case vaultUnavailable(VaultError)
  /// The passcode was set without the old one, which opens the vault.
  case otherPasscodeOpensVault
  /// The passcode has changed; only the old one opens the vault.
  case oldPasscodeOpensVault
  case oldPasscodeWrong
  /// The passcode is right, and the vault does not open.
  case vaultNotOpened
  /// The vault was locked while it was opened.
  case vaultLockedMeanwhile
  case noVault
  /// A login secret is empty or longer than a passcode.
  case loginSecretLength
  /// A login secret has a zero byte.
  case loginSecretZeroByte

  /// What the vault says.
  public init(_ error: VaultError) {
    switch error {
    case .notFound: self = .notFound
    case .duplicate: self = .duplicateItem
    case .full: self = .vaultFull
    case .setChanged: self = .fingersChanged
    default: self = .vaultUnavailable(error)
    }
  }
}

/// What a refusal is about, as far as a program has to know: the exit status of `signet` follows from it.
public enum RefusalClass: Sendable {
  case permissionDenied
  /// No reader, or a busy one.
  case unavailable
  /// Only the passcode, time or an administrator helps.
  case locked
  /// Anything else.
  case refused
}

extension Refusal {
  public var kind: RefusalClass {
    switch self {
    case .permissionDenied, .otherUser, .notForSessionLocker, .otherUsersPasscode, .loginSecretIsForLogins, .foreignSessionKey,
      .keyOnlySigns:
      .permissionDenied
    case .readerUnavailable, .readerNotStarted, .readerEnded, .readerBusy, .asleep, .noMemory, .noReader, .severalReaders,
      .noSuchReader, .readerNotOpened, .readerSilent, .readerFailed, .nothingToAsk, .keyNotSigned(.missing, _),
      .keyNotSigned(.silent, _):
      .unavailable
    case .vaultUnavailable(.wrongPasscode), .vaultUnavailable(.badItem), .vaultUnavailable(.emptyPasscode): .refused
    case .stateUnusable, .lockNotKept, .deletedWithFault, .deletedButKept, .passcodeDelayed, .locked, .vaultUnavailable,
      .otherPasscodeOpensVault, .oldPasscodeOpensVault, .vaultNotOpened, .vaultLockedMeanwhile, .noVault,
      .accountClosed, .passcodeExpired, .accountUnknown:
      .locked
    case .unknownUser, .unknownUID, .notEnrolled, .duplicateFinger, .duplicateOnReader, .allFingersEnrolled, .storageFull,
      .storageNotCleared, .cancelled, .passcodeFailed, .passcodeNotSet, .passcodeUnchecked, .notVerified, .fingerOnly,
      .fingerOnlyNoneEnrolled, .lockSwitchedOff, .noSessionForToken, .noSuchSession, .notFound, .duplicateItem, .vaultFull,
      .noOpenSession, .refreshTokenReused, .sealBroken, .noSigningLibrary,
      .fingersChanged, .keyNotSigned, .oldPasscodeWrong, .loginSecretLength, .loginSecretZeroByte, .tooManySessions,
      .interactionNotAllowed:
      .refused
    }
  }

  public var code: RefusalCode {
    switch self {
    case .permissionDenied: .permissionDenied
    case .unknownUser: .unknownUser
    case .notEnrolled: .notEnrolled
    case .readerUnavailable: .readerUnavailable
    case .readerBusy: .readerBusy
    case .duplicateFinger: .duplicateFinger
    case .storageFull: .storageFull
    case .passcodeFailed: .passcodeFailed
    case .passcodeNotSet: .passcodeNotSet
    case .stateUnusable: .stateUnusable
    case .cancelled: .cancelled
    case .notFound: .notFound
    case .passcodeUnchecked: .passcodeUnchecked
    case .passcodeDelayed: .passcodeDelayed
    case .duplicateItem: .duplicateItem
    case .vaultFull: .vaultFull
    case .vaultUnavailable: .vaultUnavailable
    case .fingersChanged: .fingersChanged
    case .otherUser: .otherUser
    case .notForSessionLocker: .notForSessionLocker
    case .otherUsersPasscode: .otherUsersPasscode
    case .loginSecretIsForLogins: .loginSecretIsForLogins
    case .unknownUID: .unknownUID
    case .readerNotStarted: .readerNotStarted
    case .readerEnded: .readerEnded
    case .asleep: .asleep
    case .noMemory: .noMemory
    case .noReader: .noReader
    case .severalReaders: .severalReaders
    case .noSuchReader: .noSuchReader
    case .readerNotOpened: .readerNotOpened
    case .readerSilent: .readerSilent
    case .readerFailed: .readerFailed
    case .duplicateOnReader: .duplicateOnReader
    case .allFingersEnrolled: .allFingersEnrolled
    case .storageNotCleared: .storageNotCleared
    case .deletedWithFault: .deletedWithFault
    case .deletedButKept: .deletedButKept
    case .notVerified: .notVerified
    case .fingerOnly: .fingerOnly
    case .fingerOnlyNoneEnrolled: .fingerOnlyNoneEnrolled
    case .locked: .locked
    case .nothingToAsk: .nothingToAsk
    case .lockNotKept: .lockNotKept
    case .lockSwitchedOff: .lockSwitchedOff
    case .noSessionForToken: .noSessionForToken
    case .noSuchSession: .noSuchSession
    case .noOpenSession: .noOpenSession
    case .refreshTokenReused: .refreshTokenReused
    case .sealBroken: .sealBroken
    case .noSigningLibrary: .noSigningLibrary
    case .keyOnlySigns: .keyOnlySigns
    case .keyNotSigned: .keyNotSigned
    case .otherPasscodeOpensVault: .otherPasscodeOpensVault
    case .oldPasscodeOpensVault: .oldPasscodeOpensVault
    case .oldPasscodeWrong: .oldPasscodeWrong
    case .vaultNotOpened: .vaultNotOpened
    case .vaultLockedMeanwhile: .vaultLockedMeanwhile
    case .noVault: .noVault
    case .loginSecretLength: .loginSecretLength
    case .loginSecretZeroByte: .loginSecretZeroByte
    case .foreignSessionKey: .foreignSessionKey
    case .tooManySessions: .tooManySessions
    case .interactionNotAllowed: .interactionNotAllowed
    case .accountClosed: .accountClosed
    case .passcodeExpired: .passcodeExpired
    case .accountUnknown: .accountUnknown
    }
  }
}
