#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

extension Refusal: NumberedForm {
  package var number: UInt8 { code.rawValue }

  // Made at each use: what a static array holds boxed looks like a leak to a sanitizer.
  package static var all: [Refusal] {
    [
      .permissionDenied, .readerUnavailable, .passcodeFailed, .cancelled, .notFound, .passcodeUnchecked, .passcodeDelayed,
      .duplicateItem, .vaultFull, .fingersChanged, .otherUser, .notForSessionLocker, .otherUsersPasscode,
      .loginSecretIsForLogins, .readerNotStarted, .readerEnded, .asleep, .noMemory, .noReader, .allFingersEnrolled,
      .notVerified, .fingerOnly, .fingerOnlyNoneEnrolled, .locked, .nothingToAsk, .lockSwitchedOff, .noSessionForToken,
      .otherPasscodeOpensVault, .oldPasscodeOpensVault, .oldPasscodeWrong, .vaultNotOpened, .vaultLockedMeanwhile, .noVault,
      .loginSecretLength, .loginSecretZeroByte, .foreignSessionKey, .tooManySessions, .interactionNotAllowed,
      .noOpenSession, .refreshTokenReused, .sealBroken, .noSigningLibrary, .accountClosed, .passcodeExpired, .accountUnknown,
      .keyOnlySigns,
      .unknownUID(0), .readerBusy(service: "", user: ""), .severalReaders([]), .readerFailed("", .other, detail: ""),
      .notEnrolled(user: "", nil), .duplicateFinger(.leftThumb), .storageNotCleared("", detail: ""),
      .passcodeNotSet(user: ""), .deletedWithFault(.noKey), .deletedButKept(.noKey), .vaultUnavailable(.noKey),
      .keyNotSigned(.missing, code: 0), .stateUnusable(.notDirectory("")), .lockNotKept(.notDirectory("")),
    ]
      + [
        unknownUser, noSuchReader, readerNotOpened, readerSilent, duplicateOnReader, storageFull, noSuchSession,
      ].map { $0("") }
  }

  package mutating func pass(_ fields: inout some AnyFieldPass, depth: Int) throws(FormatError) {
    switch self {
    case .permissionDenied, .readerUnavailable, .passcodeFailed, .cancelled, .notFound, .passcodeUnchecked, .passcodeDelayed,
      .duplicateItem, .vaultFull, .fingersChanged, .otherUser, .notForSessionLocker, .otherUsersPasscode,
      .loginSecretIsForLogins, .readerNotStarted, .readerEnded, .asleep, .noMemory, .noReader, .allFingersEnrolled,
      .notVerified, .fingerOnly, .fingerOnlyNoneEnrolled, .locked, .nothingToAsk, .lockSwitchedOff, .noSessionForToken,
      .otherPasscodeOpensVault, .oldPasscodeOpensVault, .oldPasscodeWrong, .vaultNotOpened, .vaultLockedMeanwhile, .noVault,
      .loginSecretLength, .loginSecretZeroByte, .foreignSessionKey, .tooManySessions, .interactionNotAllowed,
      .noOpenSession, .refreshTokenReused, .sealBroken, .noSigningLibrary, .accountClosed, .passcodeExpired, .accountUnknown,
      .keyOnlySigns:
      break
    case .unknownUser(let name): self = .unknownUser(try fields.passed(name, limit: FieldLimit.user))
    case .unknownUID(let uid): self = .unknownUID(try fields.passed(uid))
    case .passcodeNotSet(let user): self = .passcodeNotSet(user: try fields.passed(user, limit: FieldLimit.user))
    case .notEnrolled(let user, let finger):
      self = .notEnrolled(user: try fields.passed(user, limit: FieldLimit.user), try fields.passed(orNone: finger))
    case .duplicateFinger(let finger): self = .duplicateFinger(try fields.passed(finger))
    case .readerBusy(let service, let user):
      self = .readerBusy(
        service: try fields.passed(service, limit: FieldLimit.name), user: try fields.passed(user, limit: FieldLimit.user))
    case .severalReaders(var identifiers):
      let count = Int(try fields.passed(UInt8(clamping: identifiers.count)))
      if count != identifiers.count { identifiers = Array(repeating: "", count: count) }
      for index in identifiers.indices { identifiers[index] = try fields.passed(identifiers[index], limit: FieldLimit.name) }
      self = .severalReaders(identifiers)
    case .noSuchReader(let reader): self = .noSuchReader(try fields.passed(reader, limit: FieldLimit.name))
    case .readerNotOpened(let reader): self = .readerNotOpened(try fields.passed(reader, limit: FieldLimit.name))
    case .readerSilent(let reader): self = .readerSilent(try fields.passed(reader, limit: FieldLimit.name))
    case .duplicateOnReader(let reader): self = .duplicateOnReader(try fields.passed(reader, limit: FieldLimit.name))
    case .storageFull(let reader): self = .storageFull(try fields.passed(reader, limit: FieldLimit.name))
    case .storageNotCleared(let reader, let detail):
      self = .storageNotCleared(
        try fields.passed(reader, limit: FieldLimit.name), detail: try fields.passed(detail, limit: FieldLimit.explanation))
    case .readerFailed(let reader, let failure, let detail):
      self = .readerFailed(
        try fields.passed(reader, limit: FieldLimit.name), try fields.passed(failure),
        detail: try fields.passed(detail, limit: FieldLimit.explanation))
    case .noSuchSession(let identifier):
      self = .noSuchSession(try fields.passed(identifier, limit: FieldLimit.sessionIdentifier))
    case .keyNotSigned(let fault, let code):
      self = .keyNotSigned(try fields.passed(fault), code: try fields.passed(code))
    case .stateUnusable(let error): self = .stateUnusable(try fields.passed(error, depth: depth))
    case .lockNotKept(let error): self = .lockNotKept(try fields.passed(error, depth: depth))
    case .deletedWithFault(let error): self = .deletedWithFault(try fields.passed(error, depth: depth))
    case .deletedButKept(let error): self = .deletedButKept(try fields.passed(error, depth: depth))
    case .vaultUnavailable(let error): self = .vaultUnavailable(try fields.passed(error, depth: depth))
    }
  }
}
