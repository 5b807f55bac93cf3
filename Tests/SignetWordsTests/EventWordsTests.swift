import SignetVocabulary
import SignetWords
import Testing

@Suite struct EventWordsTests {
  private static let session = SessionName(0x0123_ABCD)

  private static let sentences: [(Event, String)] =
    [
      (.authenticated(.fingerprint, .leftThumb), "Authenticated by finger, left-thumb"),
      (.authenticated(.fingerprint, nil), "Authenticated by finger"),
      (.authenticated(.passcode, nil), "Authenticated by passcode"),
      (.missed(strikes: 1), "Finger not recognised: 1 strike"),
      (.missed(strikes: 2), "Finger not recognised: 2 strikes"),
      (.poorScansExhausted(strikes: 2), "Too many poor scans: 2 strikes"),
      (.strikeGivenBack(strikes: 0), "Ended before a finger was looked at: 0 strikes"),
      (.strikeKept(strikes: 1), "Reader lost while it waited for a finger, which counts: 1 strike"),
      (.locked(.strikes), "Fingerprints locked: too many misses in a row"),
      (.locked(.requested), "Fingerprints locked: on request"),
      (.passcodeVerified, "Passcode right"),
      (.wrongPasscode(count: 1, isCancelled: false), "Passcode wrong"),
      (.wrongPasscode(count: 3, isCancelled: false), "Passcode wrong, 3 in a row"),
      (.wrongPasscode(count: 1, isCancelled: true), "Passcode check cancelled, which counts"),
      (.wrongPasscode(count: 3, isCancelled: true), "Passcode check cancelled, which counts, 3 in a row"),
      (.passcodeDelayed(minutes: 1), "Passcode not asked for: 1 minute to wait"),
      (.passcodeDelayed(minutes: 15), "Passcode not asked for: 15 minutes to wait"),
      (.unlocked(strikes: 0), "Unlocked by the passcode"),
      (.unlocked(strikes: 1), "Unlocked by the passcode, 1 strike cleared"),
      (.unlocked(strikes: 5), "Unlocked by the passcode, 5 strikes cleared"),
      (.lockRequested, "Locked on request"),
      (.reset, "Strikes and lock cleared by root"),
      (.enrolled(.rightIndexFinger), "Enrolled right-index-finger"),
      (.imported(.rightIndexFinger), "Took over right-index-finger from fprintd"),
      (.deleted(.rightIndexFinger), "Deleted right-index-finger"),
    ] + [
      (.released(.fingerprint, session), "Token 0123abcd released by finger"),
      (.sessionOpened(.passcode, session), "Session 0123abcd opened by passcode"),
      (.sessionClosed(session), "Session 0123abcd closed"),
      (.sessionRevoked(session), "Session 0123abcd revoked"),
      (.refused(.authenticate), "Refused: uid 1001 asked to authenticate as this user"),
      (.refused(.reset), "Refused: uid 1001 asked for reset"),
      (.passcodeUnavailable, "Passcode could not be checked"),
      (.readerUnavailable(nil), "Reader not usable"),
      (.readerUnavailable(.removed), "Reader not usable: unplugged"),
      (.readerUnavailable(.storageFull), "Reader not usable: storageFull"),
      (.ended(.userCancel), "Not authenticated: cancelled by the user"),
      (.ended(Verdict(rawValue: 99)), "Not authenticated: verdict 99"),
      (.stateUnusable, "State on disk cannot be used"),
      (.configurationUnusable, "Configuration cannot be used"),
      (.gap(1, .events), "(1 event of the history is missing)"),
      (.gap(12, .bytes), "(12 bytes of the history are missing)"),
      (.repeated(.refused, count: 100), "At least 100 more without a row of their own: requests that were refused"),
      (.repeated(.ended, count: 1), "At least 1 more without a row of their own: attempts that ended without success"),
      (.vaultRewrapped, "Vault opens with the new passcode"),
      (.vaultUnopened(.wrongPasscode), "Vault stays closed: it has another passcode"),
      (.vaultUnopened(.damaged), "Vault cannot be opened"),
      (.itemReleased(.none), "Item read"),
      (.itemReleased(.passcode), "Item released by passcode"),
      (.itemStored(isReplaced: false), "Item stored"),
      (.itemStored(isReplaced: true), "Item replaced"),
      (.itemDeleted, "Item deleted"), (.itemsLost(items: 1), "Fingers change: 1 item lost"),
      (.itemsLost(items: 2), "Fingers change: 2 items lost"),
      (.vaultRecovered, "Vault recovered with the old passcode"),
      (.vaultReset(items: 1), "Vault emptied: 1 item lost"),
      (.vaultReset(items: 2), "Vault emptied: 2 items lost"),
      (.loginSecretReleased, "Login secret released by finger"),
      (.loginSecretStored, "Login secret stored from the passcode"),
      (.keyMade, "Key made"), (.keySigned(.none), "Signed with a key"),
      (.keySigned(.fingerprint), "Signed with a key, by finger"), (.keySigned(.passcode), "Signed with a key, by passcode"),
      (.keyAgreed(.none), "Key exchange with a key"), (.keyAgreed(.fingerprint), "Key exchange with a key, by finger"),
      (.keyAgreed(.passcode), "Key exchange with a key, by passcode"),
      (.passkeyMade(PasskeyName(0x0123_ABCD)), "Passkey 0123abcd made"),
      (.passkeyUsed(.none, PasskeyName(1)), "Passkey 00000001 used"),
      (.passkeyUsed(.fingerprint, PasskeyName(1)), "Passkey 00000001 used by finger"),
      (.passkeyUsed(.passcode, PasskeyName(1)), "Passkey 00000001 used by passcode"),
      (.passkeyDeleted(PasskeyName(1)), "Passkey 00000001 deleted"),
      (.accessTokenIssued(SessionName(0x0123_ABCD)), "Access token for session 0123abcd issued"),
      (
        .refreshTokenReused(SessionName(0x0123_ABCD)),
        "A refresh token of session 0123abcd used twice: somebody may have copied it"
      ),
    ]

  @Test func `every kind of event has a sentence`() {
    for (event, sentence) in EventWordsTests.sentences { #expect(EventWords.sentence(event, uid: 1001) == sentence) }
    #expect(Set(EventWordsTests.sentences.map(\.0.kind)) == Set(Event.Kind.allCases))
  }

  @Test func `who asked is named by service, place, program and numbers, as far as they are known`() {
    let sudo = EventRequester(
      pid: 4711, uid: 0, loginUser: 1000, session: 7, program: "/usr/bin/sudo", service: "sudo", terminal: "pts/0")
    #expect(EventWords.requester(sudo) == "sudo on pts/0: /usr/bin/sudo (pid 4711, uid 0, started by uid 1000)")
    #expect(EventWords.requester(EventRequester(pid: 1, uid: 1000, loginUser: 1000)) == "(pid 1, uid 1000)")
    #expect(EventWords.requester(EventRequester(pid: 1, service: "vault")) == "vault: (pid 1, uid 0)")
    #expect(EventWords.requester(EventRequester()) == "-")
  }
}
