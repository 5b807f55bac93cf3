import SignetLanguage
import SignetVocabulary

/// Events in words, for `signet history`.
public enum EventWords {
  /// What happened. `uid` is who asked; `passkeys` what those are called that are there.
  public static func sentence(_ event: Event, uid: UInt32, passkeys: [PasskeyName: String] = [:]) -> String {
    func called(_ passkey: PasskeyName) -> String { passkeys[passkey] ?? passkey.text }
    return switch event {
    case .authenticated(.fingerprint, let finger?): say("Authenticated by finger, \(FingerText.name(finger))")
    case .authenticated(.fingerprint, nil): say("Authenticated by finger")
    case .authenticated(.passcode, _): say("Authenticated by passcode")
    case .authenticated(.none, _): say("Authenticated by something else")
    case .missed(let count):
      say(count, one: "Finger not recognised: \(count) strike", other: "Finger not recognised: \(count) strikes")
    case .poorScansExhausted(let count):
      say(count, one: "Too many poor scans: \(count) strike", other: "Too many poor scans: \(count) strikes")
    case .strikeGivenBack(let count):
      say(
        count, one: "Ended before a finger was looked at: \(count) strike",
        other: "Ended before a finger was looked at: \(count) strikes")
    case .strikeKept(let count):
      say(
        count, one: "Reader lost while it waited for a finger, which counts: \(count) strike",
        other: "Reader lost while it waited for a finger, which counts: \(count) strikes")
    case .locked(let reason): LockText.event(reason)
    case .passcodeVerified: say("Passcode right")
    case .wrongPasscode(let count, isCancelled: false):
      count > 1 ? say("Passcode wrong, \(count) in a row") : say("Passcode wrong")
    case .wrongPasscode(let count, isCancelled: true):
      count > 1 ? say("Passcode check cancelled, which counts, \(count) in a row") : say("Passcode check cancelled, which counts")
    case .passcodeDelayed(let count):
      say(
        count, one: "Passcode not asked for: \(count) minute to wait", other: "Passcode not asked for: \(count) minutes to wait")
    case .unlocked(0): say("Unlocked by the passcode")
    case .unlocked(let count):
      say(
        count, one: "Unlocked by the passcode, \(count) strike cleared",
        other: "Unlocked by the passcode, \(count) strikes cleared")
    case .lockRequested: say("Locked on request")
    case .reset: say("Strikes and lock cleared by root")
    case .enrolled(let finger): say("Enrolled \(FingerText.name(finger))")
    case .imported(let finger): ImportText.event(finger)
    case .deleted(let finger): say("Deleted \(FingerText.name(finger))")
    case .released(.fingerprint, let session): say("Token \(session.text) released by finger")
    case .released(.passcode, let session): say("Token \(session.text) released by passcode")
    case .released(.none, let session): say("Token \(session.text) released by something else")
    case .sessionOpened(.fingerprint, let session): say("Session \(session.text) opened by finger")
    case .sessionOpened(.passcode, let session): say("Session \(session.text) opened by passcode")
    case .sessionOpened(.none, let session): say("Session \(session.text) opened by something else")
    case .sessionClosed(let session): say("Session \(session.text) closed")
    case .sessionRevoked(let session): say("Session \(session.text) revoked")
    case .refused(.authenticate): say("Refused: uid \(uid) asked to authenticate as this user")
    case .refused(.openSession): say("Refused: a session with a token that is not its own, or one too many")
    case .refused(let request): say("Refused: uid \(uid) asked for \(request)")
    case .passcodeUnavailable: say("Passcode could not be checked")
    case .readerUnavailable(let failure): unusable(failure)
    case .ended(let verdict): VerdictText.event(verdict)
    case .stateUnusable: say("State on disk cannot be used")
    case .configurationUnusable: say("Configuration cannot be used")
    case .vaultRewrapped: say("Vault opens with the new passcode")
    case .vaultUnopened(.wrongPasscode): say("Vault stays closed: it has another passcode")
    case .vaultUnopened: say("Vault cannot be opened")
    case .itemReleased(.none): say("Item read")
    case .itemReleased(.fingerprint): say("Item released by finger")
    case .itemReleased(.passcode): say("Item released by passcode")
    case .itemStored(isReplaced: true): say("Item replaced")
    case .itemStored(isReplaced: false): say("Item stored")
    case .itemDeleted: say("Item deleted")
    case .itemsLost(let count):
      say(count, one: "Fingers change: \(count) item lost", other: "Fingers change: \(count) items lost")
    case .vaultRecovered: say("Vault recovered with the old passcode")
    case .vaultReset(let count):
      say(count, one: "Vault emptied: \(count) item lost", other: "Vault emptied: \(count) items lost")
    case .loginSecretReleased: say("Login secret released by finger")
    case .accessTokenIssued(let session): say("Access token for session \(session.text) issued")
    case .refreshTokenReused(let session):
      say("A refresh token of session \(session.text) used twice: somebody may have copied it")
    case .loginSecretStored: say("Login secret stored from the passcode")
    case .keyMade: say("Key made")
    case .keySigned(.none): say("Signed with a key")
    case .keySigned(.fingerprint): say("Signed with a key, by finger")
    case .keySigned(.passcode): say("Signed with a key, by passcode")
    case .keyAgreed(.none): say("Key exchange with a key")
    case .keyAgreed(.fingerprint): say("Key exchange with a key, by finger")
    case .keyAgreed(.passcode): say("Key exchange with a key, by passcode")
    case .passkeyMade(let passkey): say("Passkey \(called(passkey)) made")
    case .passkeyUsed(.none, let passkey): say("Passkey \(called(passkey)) used")
    case .passkeyUsed(.fingerprint, let passkey): say("Passkey \(called(passkey)) used by finger")
    case .passkeyUsed(.passcode, let passkey): say("Passkey \(called(passkey)) used by passcode")
    case .passkeyDeleted(let passkey): say("Passkey \(called(passkey)) deleted")
    case .repeated(let kind, let count): say("At least \(count) more without a row of their own: \(several(kind))")
    case .gap(let count, .events):
      say(count, one: "(\(count) event of the history is missing)", other: "(\(count) events of the history are missing)")
    case .gap(let count, .bytes):
      say(count, one: "(\(count) byte of the history is missing)", other: "(\(count) bytes of the history are missing)")
    }
  }

  /// Events of a kind of which there may be many.
  private static func several(_ kind: Event.Kind) -> String {
    switch kind {
    case .authenticated: say("successes by a finger that was recognised before")
    case .strikeGivenBack: say("scans that ended before a finger was looked at")
    case .locked: say("attempts while fingerprints were locked")
    case .passcodeDelayed: say("attempts while no passcode was taken")
    case .lockRequested: say("requests to lock")
    case .refused: say("requests that were refused")
    case .passcodeUnavailable: say("passcodes that could not be checked")
    case .readerUnavailable: say("attempts without a usable reader")
    case .ended: say("attempts that ended without success")
    case .stateUnusable: say("faults of the state on disk")
    case .itemReleased: say("items read")
    case .itemStored: say("items stored")
    case .itemDeleted: say("items deleted")
    case .itemsLost: say("items lost")
    case .keyMade: say("keys made")
    case .keySigned: say("signatures")
    case .keyAgreed: say("key exchanges")
    case .passkeyMade: say("passkeys made")
    case .passkeyUsed: say("uses of passkeys")
    case .passkeyDeleted: say("passkeys deleted")
    default: "\(kind)"
    }
  }

  /// Who asked: `sudo on pts/0: /usr/bin/sudo (pid 4711, uid 0)`.
  public static func requester(_ requester: EventRequester) -> String {
    guard requester.pid != 0 else { return "-" }
    let program = requester.program.isEmpty ? "" : "\(requester.program) "
    return service(of: requester) + program + process(of: requester)
  }

  private static func service(of requester: EventRequester) -> String {
    if requester.service.isEmpty { return "" }
    return requester.terminal.isEmpty ? "\(requester.service): " : say("\(requester.service) on \(requester.terminal): ")
  }

  private static func process(of requester: EventRequester) -> String {
    [requester.uid, EventRequester.none].contains(requester.loginUser)
      ? say("(pid \(requester.pid), uid \(requester.uid))")
      : say("(pid \(requester.pid), uid \(requester.uid), started by uid \(requester.loginUser))")
  }

  private static func unusable(_ failure: ReaderFailure?) -> String {
    switch failure {
    case nil: say("Reader not usable")
    case .notFound: say("Reader not usable: not connected")
    case .busy: say("Reader not usable: in use")
    case .removed: say("Reader not usable: unplugged")
    case .heldByOther: say("Reader not usable: held by another program")
    case .tooHot: say("Reader not usable: too hot")
    case .some(let failure): say("Reader not usable: \(failure)")
    }
  }
}
