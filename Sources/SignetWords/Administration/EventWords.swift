import SignetVocabulary

/// Events in words, for `signet history`.
public enum EventWords {
  /// What happened. `uid` is who asked.
  public static func sentence(_ event: Event, uid: UInt32) -> String {
    switch event {
    case .authenticated(.fingerprint, let finger?): "Authenticated by finger, \(finger.name)"
    case .authenticated(.fingerprint, nil): "Authenticated by finger"
    case .authenticated(.passcode, _): "Authenticated by passcode"
    case .authenticated(.none, _): "Authenticated by something else"
    case .missed(let count):
      plural(count, one: "Finger not recognised: 1 strike", other: "Finger not recognised: \(count) strikes")
    case .poorScansExhausted(let count):
      plural(count, one: "Too many poor scans: 1 strike", other: "Too many poor scans: \(count) strikes")
    case .strikeGivenBack(let count):
      plural(
        count, one: "Ended before a finger was looked at: 1 strike",
        other: "Ended before a finger was looked at: \(count) strikes")
    case .strikeKept(let count):
      plural(
        count, one: "Reader lost while it waited for a finger, which counts: 1 strike",
        other: "Reader lost while it waited for a finger, which counts: \(count) strikes")
    case .locked(let reason): LockText.event(reason)
    case .passcodeVerified: "Passcode right"
    case .wrongPasscode(let count, isCancelled: false):
      count > 1 ? "Passcode wrong, \(count) in a row" : "Passcode wrong"
    case .wrongPasscode(let count, isCancelled: true):
      count > 1 ? "Passcode check cancelled, which counts, \(count) in a row" : "Passcode check cancelled, which counts"
    case .passcodeDelayed(let count):
      plural(count, one: "Passcode not asked for: 1 minute to wait", other: "Passcode not asked for: \(count) minutes to wait")
    case .unlocked(0): "Unlocked by the passcode"
    case .unlocked(let count):
      plural(
        count, one: "Unlocked by the passcode, 1 strike cleared", other: "Unlocked by the passcode, \(count) strikes cleared")
    case .lockRequested: "Locked on request"
    case .reset: "Strikes and lock cleared by root"
    case .enrolled(let finger): "Enrolled \(finger.name)"
    case .deleted(let finger): "Deleted \(finger.name)"
    case .released(.fingerprint, let session): "Token \(session.text) released by finger"
    case .released(.passcode, let session): "Token \(session.text) released by passcode"
    case .released(.none, let session): "Token \(session.text) released by something else"
    case .sessionOpened(.fingerprint, let session): "Session \(session.text) opened by finger"
    case .sessionOpened(.passcode, let session): "Session \(session.text) opened by passcode"
    case .sessionOpened(.none, let session): "Session \(session.text) opened by something else"
    case .sessionClosed(let session): "Session \(session.text) closed"
    case .sessionRevoked(let session): "Session \(session.text) revoked"
    case .refused(.authenticate): "Refused: uid \(uid) asked to authenticate as this user"
    case .refused(.openSession): "Refused: a session with a token that is not its own, or one too many"
    case .refused(let request): "Refused: uid \(uid) asked for \(request)"
    case .passcodeUnavailable: "Passcode could not be checked"
    case .readerUnavailable(let failure): unusable(failure)
    case .ended(let verdict): VerdictText.event(verdict)
    case .stateUnusable: "State on disk cannot be used"
    case .configurationUnusable: "Configuration cannot be used"
    case .vaultRewrapped: "Vault opens with the new passcode"
    case .vaultUnopened(.wrongPasscode): "Vault stays closed: it has another passcode"
    case .vaultUnopened: "Vault cannot be opened"
    case .itemReleased(.none): "Item read"
    case .itemReleased(.fingerprint): "Item released by finger"
    case .itemReleased(.passcode): "Item released by passcode"
    case .itemStored(isReplaced: true): "Item replaced"
    case .itemStored(isReplaced: false): "Item stored"
    case .itemDeleted: "Item deleted"
    case .vaultRecovered: "Vault recovered with the old passcode"
    case .vaultReset(let count):
      plural(count, one: "Vault emptied: 1 item lost", other: "Vault emptied: \(count) items lost")
    case .loginSecretReleased: "Login secret released by finger"
    case .accessTokenIssued(let session): "Access token for session \(session.text) issued"
    case .refreshTokenReused(let session):
      "A refresh token of session \(session.text) used twice: somebody may have copied it"
    case .loginSecretStored: "Login secret stored from the passcode"
    case .repeated(let kind, let count): "At least \(count) more without a row of their own: \(several(kind))"
    case .gap(let count, .events):
      plural(count, one: "(1 event of the history is missing)", other: "(\(count) events of the history are missing)")
    case .gap(let count, .bytes):
      plural(count, one: "(1 byte of the history is missing)", other: "(\(count) bytes of the history are missing)")
    }
  }

  /// Events of a kind of which there may be many.
  private static func several(_ kind: Event.Kind) -> String {
    switch kind {
    case .strikeGivenBack: "scans that ended before a finger was looked at"
    case .locked: "attempts while fingerprints were locked"
    case .passcodeDelayed: "attempts while no passcode was taken"
    case .lockRequested: "requests to lock"
    case .refused: "requests that were refused"
    case .passcodeUnavailable: "passcodes that could not be checked"
    case .readerUnavailable: "attempts without a usable reader"
    case .ended: "attempts that ended without success"
    case .stateUnusable: "faults of the state on disk"
    case .itemReleased: "items read"
    case .itemStored: "items stored"
    case .itemDeleted: "items deleted"
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
    return requester.terminal.isEmpty ? "\(requester.service): " : "\(requester.service) on \(requester.terminal): "
  }

  private static func process(of requester: EventRequester) -> String {
    [requester.uid, EventRequester.none].contains(requester.loginUser)
      ? "(pid \(requester.pid), uid \(requester.uid))"
      : "(pid \(requester.pid), uid \(requester.uid), started by uid \(requester.loginUser))"
  }

  private static func unusable(_ failure: ReaderFailure?) -> String {
    switch failure {
    case nil: "Reader not usable"
    case .notFound: "Reader not usable: not connected"
    case .busy: "Reader not usable: in use"
    case .removed: "Reader not usable: unplugged"
    case .heldByOther: "Reader not usable: held by another program"
    case .tooHot: "Reader not usable: too hot"
    case .some(let failure): "Reader not usable: \(failure)"
    }
  }
}
