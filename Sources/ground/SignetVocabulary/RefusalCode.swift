/// Which `Refusal` it is, without what belongs to it: all that the PAM module reads of one. The numbers are for the wire and
/// never change.
public enum RefusalCode: UInt8, Sendable {
  case permissionDenied = 1, unknownUser, notEnrolled, readerUnavailable, readerBusy
  case duplicateFinger, storageFull, passcodeFailed, passcodeNotSet, stateUnusable, cancelled
  case notFound, passcodeUnchecked, passcodeDelayed, duplicateItem, vaultFull, vaultUnavailable
  case fingersChanged, otherUser, notForSessionLocker, otherUsersPasscode, loginSecretIsForLogins
  case unknownUID, readerNotStarted, readerEnded, asleep, noMemory, noReader, severalReaders
  case noSuchReader, readerNotOpened, readerSilent, readerFailed, duplicateOnReader
  case allFingersEnrolled, storageNotCleared, deletedWithFault, deletedButKept, notVerified
  case fingerOnly, fingerOnlyNoneEnrolled, locked, nothingToAsk, lockNotKept, lockSwitchedOff
  case noSessionForToken, noSuchSession, otherPasscodeOpensVault, oldPasscodeOpensVault
  case oldPasscodeWrong, vaultNotOpened, vaultLockedMeanwhile, noVault, loginSecretLength
  case loginSecretZeroByte, foreignSessionKey, tooManySessions, interactionNotAllowed
  case noOpenSession, refreshTokenReused, sealBroken, noSigningLibrary
  case accountClosed, passcodeExpired, accountUnknown, keyOnlySigns
  case keyNotSigned
}

#if !hasFeature(Embedded)
  extension RefusalCode: CaseIterable {}
#endif
