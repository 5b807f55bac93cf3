import SignetLanguage
import SignetVocabulary

/// Why signetd did not do what it was asked, and what to do next.
public enum RefusalText {
  public static func of(_ refusal: Refusal) -> String {
    switch refusal {
    case .permissionDenied: say("Only root may do this.")
    case .otherUser: say("Only root may act for another user.")
    case .notForSessionLocker: say("This is not for signet-logind to ask.")
    case .loginSecretIsForLogins: say("The login secret is released to logins only.")
    case .unknownUser(let name): say("There is no user \(name).")
    case .unknownUID(let uid): say("There is no user uid \(uid).")

    case .readerUnavailable: say("signet-reader does not answer; see the log of signetd.")
    case .readerNotStarted: say("signet-reader does not start; see the log of signetd.")
    case .readerEnded: say("signet-reader ended; nothing was changed. Try again.")
    case .readerBusy(let service, let user): say("The reader is in use by \(service) of \(user). Try again.")
    case .asleep: say("The machine is about to sleep. Try again when it is awake.")
    case .noMemory: say("The system has no memory left. Close programs, then try again.")
    case .noReader: say("No fingerprint reader is connected.")
    case .severalReaders(let identifiers):
      say("There are several readers; choose one with --reader: \(identifiers.joined(separator: ", "))")
    case .noSuchReader(let reader): say("There is no reader \(reader). `signet readers` lists them.")
    case .readerNotOpened(let reader): say("\(reader) cannot be opened.")
    case .readerSilent(let reader): say("\(reader) does not answer.")
    case .readerFailed(let reader, .poorTemplate, _):
      say(
        """
        \(reader) sees too little of this finger to recognise it. Clean the reader and the finger and put more of the finger on \
        the reader, or enroll another finger. Nothing was changed.
        """)
    case .readerFailed(let reader, .heldByOther, _):
      say("\(reader) is held by another program; which one says, as root: signet doctor --only readers. Nothing was changed.")
    case .readerFailed(let reader, .tooHot, _):
      say("\(reader) is too hot; it works again when it has cooled down. Nothing was changed.")
    case .readerFailed(let reader, _, let detail): say("\(reader): \(withoutStop(detail)). Nothing was changed.")

    case .notEnrolled(let user, let finger?): say("\(user) has not enrolled \(FingerText.name(finger)).")
    case .notEnrolled(let user, nil): say("\(user) has not enrolled a finger.")
    case .duplicateFinger(let finger):
      say(
        """
        This finger is enrolled already, as \(FingerText.name(finger)). Take another, or delete that first: signet delete \
        \(finger.name)
        """)
    case .duplicateOnReader(let reader):
      say(
        """
        \(reader) has this finger already, from another user or another system. Take another finger, or delete this one where it was \
        enrolled: with signet delete, as that user, or in that system.
        """)
    case .allFingersEnrolled: say("All ten fingers are enrolled; name the one to enroll anew.")
    case .storageFull(let reader):
      say("The storage of \(reader) is full. Delete a finger that is enrolled on it, then try again.")
    case .storageNotCleared(let reader, let detail): say("\(reader) is full: \(withoutStop(detail)).")
    case .deletedWithFault(let error):
      say(
        """
        The fingers are deleted, and what the vault kept for them is destroyed, but not all is well. \(VaultText.of(error))
        """)
    case .deletedButKept(let error):
      say(
        """
        The fingers are deleted, but what the vault keeps for them was not destroyed: fingers that are left may open it. \
        \(VaultText.of(error))
        """)

    case .otherUsersPasscode, .cancelled, .passcodeFailed, .passcodeDelayed, .passcodeUnchecked, .oldPasscodeOpensVault:
      PasscodeChangeText.of(refusal.code).map { String(translated: $0) } ?? ""
    case .passcodeNotSet(let user): say("\(user) has no passcode; set one with passwd(1) first.")
    case .notVerified: say("Not recognised, or a wrong passcode.")
    case .fingerOnly: say("Only a finger opens this.")
    case .fingerOnlyNoneEnrolled: say("Only a finger opens this, and none is enrolled: signet enroll")
    case .interactionNotAllowed: say("A finger or the passcode is needed, and the program does not allow to ask for it.")
    case .locked: say("Fingerprints or passcodes are locked; see `signet status`.")
    case .accountClosed: say("The account is closed: ask the administrator.")
    case .passcodeExpired: say("The passcode must be changed: run passwd.")
    case .accountUnknown: say("The directory gives no answer, so that nobody knows whether the account is open.")
    case .nothingToAsk: say("No finger and no passcode could be asked for; see `signet readers`.")

    case .stateUnusable(let error): FaultText.of(error)
    case .lockNotKept(let error): say("Locked until signetd ends, and not longer: \(FaultText.of(error)).")
    case .lockSwitchedOff: say("The administrator has switched this off: passcode_after_lock in signet.conf.")
    case .noSessionForToken: say("No session waits for this token: it was revoked, used, or is too old.")
    case .foreignSessionKey: say("The session's key is not the one that root made for its token.")
    case .tooManySessions: say("The user has too many open sessions. `signet sessions` lists them.")
    case .noOpenSession: say("The token is of no open session of yours: log in again.")
    case .refreshTokenReused:
      say(
        "This refresh token was used before, so somebody may have copied it: none of its chain is good any more. Ask for a new one."
      )
    case .sealBroken: say("What was sealed opens no more: another session sealed it, or your fingerprints were locked since.")
    case .noSigningLibrary: say("Nothing can be signed: OpenSSL's libcrypto.so.3 is missing. Install libssl3.")
    case .noSuchSession(let identifier): say("There is no session \(identifier) of yours. `signet sessions` lists them.")

    case .keyOnlySigns: say("This is a key: it signs, and nobody can read or replace it.")
    case .keyNotSigned(let fault, let code): KeyFaultText.of(fault, code)
    case .notFound: say("there is no such item")
    case .duplicateItem: say("there is such an item already; update it")
    case .vaultFull: VaultText.of(.full)
    case .fingersChanged:
      say("The enrolled fingers changed since this was stored, and nothing opens it any more. Delete it, or store it anew.")
    case .vaultUnavailable(let error): VaultText.of(error)
    case .otherPasscodeOpensVault:
      say("Another passcode opens the vault: yours was set without the old one. `signet vault recover` takes the old one.")
    case .oldPasscodeWrong: say("The old passcode is wrong; nothing was changed. All items are kept.")
    case .vaultNotOpened: say("The passcode is right, but the vault does not open; see `signet status`.")
    case .vaultLockedMeanwhile: say("It was locked in the meantime; try again.")
    case .noVault: say("There is no vault to recover.")
    case .loginSecretLength: say("A login secret has 1 to \(FieldLimit.passcode) bytes.")
    case .loginSecretZeroByte: say("A login secret has no zero byte: PAM would end it there.")
    }
  }

  /// libfprint's words; some of them end with a full stop, and some do not.
  private static func withoutStop(_ detail: String) -> Substring { detail.hasSuffix(".") ? detail.dropLast() : detail[...] }
}
