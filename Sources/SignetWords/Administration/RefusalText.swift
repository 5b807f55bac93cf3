import SignetVocabulary

/// Why signetd did not do what it was asked, and what to do next.
public enum RefusalText {
  public static func of(_ refusal: Refusal) -> String {
    switch refusal {
    case .permissionDenied: "Only root may do this."
    case .otherUser: "Only root may act for another user."
    case .notForSessionLocker: "This is not for signet-logind to ask."
    case .loginSecretIsForLogins: "The login secret is released to logins only."
    case .unknownUser(let name): "There is no user \(name)."
    case .unknownUID(let uid): "There is no user uid \(uid)."

    case .readerUnavailable: "signet-reader does not answer; see the log of signetd."
    case .readerNotStarted: "signet-reader does not start; see the log of signetd."
    case .readerEnded: "signet-reader ended; nothing was changed. Try again."
    case .readerBusy(let service, let user): "The reader is in use by \(service) of \(user). Try again."
    case .asleep: "The machine is about to sleep. Try again when it is awake."
    case .noMemory: "The system has no memory left. Close programs, then try again."
    case .noReader: "No fingerprint reader is connected."
    case .severalReaders(let identifiers):
      "There are several readers; choose one with --reader: \(identifiers.joined(separator: ", "))"
    case .noSuchReader(let reader): "There is no reader \(reader). `signet readers` lists them."
    case .readerNotOpened(let reader): "\(reader) cannot be opened."
    case .readerSilent(let reader): "\(reader) does not answer."
    case .readerFailed(let reader, .poorTemplate, _):
      """
      \(reader) sees too little of this finger to recognise it. Clean the reader and the finger and put more of the finger on \
      the reader, or enroll another finger. Nothing was changed.
      """
    case .readerFailed(let reader, .heldByOther, _):
      "\(reader) is held by another program; \(StatusText.whoHoldsIt). Nothing was changed."
    case .readerFailed(let reader, _, let detail): "\(reader): \(detail). Nothing was changed."

    case .notEnrolled(let user, let finger?): "\(user) has not enrolled \(finger.name)."
    case .notEnrolled(let user, nil): "\(user) has not enrolled a finger."
    case .duplicateFinger(let finger): "This finger is enrolled already, as \(finger.name)."
    case .duplicateOnReader(let reader): "\(reader) says that this finger is enrolled already."
    case .allFingersEnrolled: "All ten fingers are enrolled; name the one to enroll anew."
    case .storageFull(let reader):
      "The storage of \(reader) is full. Delete a finger that is enrolled on it, then try again."
    case .storageNotCleared(let reader, let detail): "\(reader) is full: \(detail)"
    case .deletedWithFault(let error):
      """
      The fingers are deleted, and what the vault kept for them is destroyed, but not all is well. \(VaultText.of(error))
      """
    case .deletedButKept(let error):
      """
      The fingers are deleted, but what the vault keeps for them was not destroyed: fingers that are left may open it. \
      \(VaultText.of(error))
      """

    case .otherUsersPasscode, .cancelled, .passcodeFailed, .passcodeDelayed, .passcodeUnchecked, .oldPasscodeOpensVault:
      "\(PasscodeChangeText.of(refusal.code) ?? "")"
    case .passcodeNotSet(let user): "\(user) has no passcode; set one with passwd(1) first."
    case .notVerified: "Not recognised, or a wrong passcode."
    case .fingerOnly: "Only a finger opens this."
    case .fingerOnlyNoneEnrolled: "Only a finger opens this, and none is enrolled: signet enroll"
    case .interactionNotAllowed: "A finger or the passcode is needed, and the program does not allow to ask for it."
    case .locked: "Fingerprints or passcodes are locked; see `signet status`."
    case .nothingToAsk: "No finger and no passcode could be asked for; see `signet readers`."

    case .stateUnusable(let error): FaultText.of(error)
    case .lockNotKept(let error): "Locked until signetd ends, and not longer: \(FaultText.of(error))."
    case .lockSwitchedOff: "The administrator has switched this off: passcode_after_lock in signet.conf."
    case .noSessionForToken: "No session waits for this token: it was revoked, used, or is too old."
    case .foreignSessionKey: "The session's key is not the one that root made for its token."
    case .tooManySessions: "The user has too many open sessions. `signet sessions` lists them."
    case .noOpenSession: "The token is of no open session of yours: log in again."
    case .refreshTokenReused:
      "This refresh token was used before, so somebody may have copied it: none of its chain is good any more. Ask for a new one."
    case .sealBroken: "What was sealed opens no more: another session sealed it, or your fingerprints were locked since."
    case .noSigningLibrary: "Tokens cannot be signed: OpenSSL's libcrypto.so.3 is missing. Install libssl3."
    case .noSuchSession(let identifier): "There is no session \(identifier) of yours. `signet sessions` lists them."

    case .notFound: "there is no such item"
    case .duplicateItem: "there is such an item already; update it"
    case .vaultFull: VaultText.of(.full)
    case .fingersChanged:
      "The enrolled fingers changed since this was stored, and nothing opens it any more. Delete it, or store it anew."
    case .vaultUnavailable(let error): VaultText.of(error)
    case .otherPasscodeOpensVault:
      "Another passcode opens the vault: yours was set without the old one. `signet vault recover` takes the old one."
    case .oldPasscodeWrong: "The old passcode is wrong; nothing was changed. All items are kept."
    case .vaultNotOpened: "The passcode is right, but the vault does not open; see `signet status`."
    case .vaultLockedMeanwhile: "It was locked in the meantime; try again."
    case .noVault: "There is no vault to recover."
    case .loginSecretLength: "A login secret has 1 to \(FieldLimit.passcode) bytes."
    case .loginSecretZeroByte: "A login secret has no zero byte: PAM would end it there."
    }
  }
}
