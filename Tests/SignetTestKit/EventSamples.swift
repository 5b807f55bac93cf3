import SignetVocabulary

extension Event {
  /// One of each kind, and what may be left out.
  public static let samples: [Event] = [
    .authenticated(.fingerprint, .rightThumb), .authenticated(.passcode, nil), .missed(strikes: 3),
    .poorScansExhausted(strikes: 3), .strikeGivenBack(strikes: 3), .strikeKept(strikes: 3), .locked(.strikes), .passcodeVerified,
    .wrongPasscode(count: 3, isCancelled: true), .passcodeDelayed(minutes: 3), .unlocked(strikes: 3), .lockRequested, .reset,
    .enrolled(.rightThumb), .imported(.rightThumb), .deleted(.rightThumb), .released(.fingerprint, SessionName(0x0123_ABCD)),
    .sessionOpened(.fingerprint, SessionName(0)), .sessionClosed(SessionName(.max)), .sessionRevoked(SessionName(1)),
    .refused(.authenticate), .passcodeUnavailable, .readerUnavailable(.notFound), .readerUnavailable(nil),
    .ended(.authenticationFailed), .stateUnusable, .configurationUnusable, .gap(3, .bytes), .gap(3, .events), .vaultRewrapped,
    .vaultUnopened(.noKey), .itemReleased(.fingerprint), .itemReleased(.none), .itemStored(isReplaced: true), .itemDeleted,
    .itemsLost(items: 3), .vaultRecovered, .vaultReset(items: 3), .loginSecretReleased, .loginSecretStored,
    .keyMade, .keySigned(.fingerprint), .keySigned(.none), .keyAgreed(.fingerprint), .keyAgreed(.none),
    .passkeyMade(PasskeyName(0x0123_ABCD)), .passkeyUsed(.fingerprint, PasskeyName(0)), .passkeyDeleted(PasskeyName(.max)),
    .accessTokenIssued(SessionName(1)), .refreshTokenReused(SessionName(1)), .repeated(.refused, count: 100),
  ]
}
