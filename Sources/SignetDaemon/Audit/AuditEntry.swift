import DaemonService
import SignetWire

/// Events as entries of the journal.
extension AuditEvent {
  /// The same for every entry of a kind, for ever: what `journalctl MESSAGE_ID=` finds. signetd(8) lists them.
  static func messageIdentifier(of kind: EventKind) -> String {
    switch kind {
    case .authenticated: "8f767a65f1994fd79954af63918f7ab1"
    case .missed: "b7130042cd764e2a9144b059230bf477"
    case .poorScansExhausted: "aa6daeeb316b4ec2b368cf18e4287773"
    case .strikeGivenBack: "b45ed707d8ba43669027d59691451f10"
    case .strikeKept: "8e15c39661424dc8ad647f9977789aee"
    case .locked: "880b8605cc8a493394a0848d54f0cba2"
    case .passcodeVerified: "8de4380370ed451f9f89f8573e05c103"
    case .wrongPasscode: "0dad35b95c734354a55b4fa7f2c0cec7"
    case .passcodeDelayed: "ad04285a5c664949bb8efc0f17d66ca4"
    case .unlocked: "86f33eb10dc746af93670957f54e40b6"
    case .lockRequested: "b55aede13e65433a831693895c5ff06c"
    case .reset: "e51e3d7e819945e499d7bdd17b668ecf"
    case .enrolled: "a2783dbab7f54cb3a6a6d50656a3c5cc"
    case .deleted: "2066be367202490784311c0509791a15"
    case .released: "70c41cb7d2e543a38b10ce13c57f3b43"
    case .sessionOpened: "bb3942cc036642189d7a7896cc2093a2"
    case .sessionClosed: "4b0453d6203d457cb4da718f46053ed0"
    case .sessionRevoked: "50b1e1567f2e43b28f2f550df8d18947"
    case .refused: "02fa7c21e3cf4875995e9602f2af6296"
    case .passcodeUnavailable: "0f17f25bc97041828eab19e763fa9725"
    case .readerUnavailable: "781262abb40e4188bf9a8492b23dacbf"
    case .ended: "d0ee59c5438d4f3d8d41935f859616c9"
    case .stateUnusable: "2c09cc46eeff4859bbefd3ef438360ec"
    case .configurationUnusable: "48d1377862ad4c8ca50b221655ff5cab"
    case .vaultRewrapped: "5bd435c0ecb64716a8d526ae43e4d753"
    case .vaultUnopened: "3e9f63be8642435fb2c29bf0996c5486"
    case .itemReleased: "db8cebd545e14e1fb45a89c10cfa390c"
    case .itemStored: "bf5717ba43c8414e9b6584c6598208eb"
    case .itemDeleted: "4125fae7719a4c3e9873899f84cb56fb"
    case .vaultRecovered: "86bdbe94b3f8459489af6afd44b2488c"
    case .vaultReset: "1ab4ce00e49f499999d62557196ac706"
    case .loginSecretReleased: "7b20ac484a4b40da8a3908c01bd79122"
    case .loginSecretStored: "f089c54829934a8e8c19eb2594c941e5"
    case .gap: "461a5a22c37b4103bdbec6bbcba7460b"
    }
  }

  var level: Log.Level {
    switch self {
    case .strikeGivenBack, .released, .ended, .itemReleased, .itemStored, .itemDeleted: .info
    case .authenticated, .passcodeVerified, .unlocked, .lockRequested, .reset, .enrolled, .deleted, .sessionOpened,
      .sessionClosed, .sessionRevoked, .locked, .vaultRewrapped, .vaultRecovered, .vaultReset, .loginSecretReleased,
      .loginSecretStored:
      .notice
    case .missed, .poorScansExhausted, .strikeKept, .wrongPasscode, .passcodeDelayed, .refused, .readerUnavailable,
      .vaultUnopened:
      .warning
    case .passcodeUnavailable, .stateUnusable, .configurationUnusable: .error
    }
  }

  /// In words, without the values.
  var message: String {
    switch self {
    case .authenticated: "authenticated"
    case .missed: "not recognised"
    case .poorScansExhausted: "too many poor scans: one strike"
    case .strikeGivenBack: "no finger was looked at: no strike"
    case .strikeKept: "the strike stays: the reader was lost while it was armed"
    case .locked: "fingerprints locked: the passcode is required"
    case .passcodeVerified: "passcode verified"
    case .wrongPasscode: "wrong passcode"
    case .passcodeDelayed: "too many wrong passcodes: none is taken for a while"
    case .unlocked: "fingerprints unlocked by the passcode"
    case .lockRequested: "fingerprints locked on request"
    case .reset: "strikes reset by root"
    case .enrolled: "finger enrolled"
    case .deleted: "finger deleted"
    case .released: "token released"
    case .sessionOpened: "session opened"
    case .sessionClosed: "session closed"
    case .sessionRevoked: "session revoked"
    case .refused(.authenticate): "refused: asked to authenticate as another user"
    case .refused: "refused: asked what only the user or root may"
    case .passcodeUnavailable: "the passcode could not be checked"
    case .readerUnavailable: "the reader cannot be used"
    case .ended: "ended without evidence"
    case .stateUnusable: "the state cannot be used"
    case .configurationUnusable: "the configuration cannot be used"
    case .vaultRewrapped: "the vault opens with the new passcode"
    case .vaultUnopened: "the passcode is right, and does not open the vault"
    case .itemReleased: "item released"
    case .itemStored: "item stored"
    case .itemDeleted: "item deleted"
    case .vaultRecovered: "vault recovered with the old passcode"
    case .vaultReset: "vault emptied"
    case .loginSecretReleased: "login secret released by finger"
    case .loginSecretStored: "login secret stored from the passcode"
    }
  }

  /// The values by name, as the log shows them; the words are those of the protocol.
  var values: Log.Fields {
    switch self {
    case .authenticated(let method, let finger):
      [("method", "\(method)")] + (finger.map { [("finger", $0.name)] } ?? [])
    case .missed(let strikes), .poorScansExhausted(let strikes), .strikeGivenBack(let strikes), .strikeKept(let strikes),
      .unlocked(let strikes):
      [("strikes", "\(strikes)")]
    case .locked(let reason): [("reason", "\(reason)")]
    case .wrongPasscode(let count, let isCancelled):
      [("count", "\(count)"), ("cancelled", isCancelled ? "yes" : "no")]
    case .passcodeDelayed(let minutes): [("minutes", "\(minutes)")]
    case .enrolled(let finger), .deleted(let finger): [("finger", finger.name)]
    case .released(let method, let session), .sessionOpened(let method, let session):
      [("session", session.text), ("method", "\(method)")]
    case .sessionClosed(let session), .sessionRevoked(let session): [("session", session.text)]
    case .refused(let request): [("request", "\(request)")]
    case .readerUnavailable(let failure): failure.map { [("failure", "\($0)")] } ?? []
    case .ended(let verdict): [("verdict", verdict.name)]
    case .vaultUnopened(let cause): [("cause", "\(cause)")]
    case .itemReleased(let method): [("method", "\(method)")]
    case .itemStored(let isReplaced): [("replaced", isReplaced ? "yes" : "no")]
    case .vaultReset(let items): [("items", "\(items)")]
    case .passcodeVerified, .lockRequested, .reset, .passcodeUnavailable, .stateUnusable, .configurationUnusable,
      .vaultRewrapped, .itemDeleted, .vaultRecovered, .loginSecretReleased, .loginSecretStored:
      []
    }
  }

  /// The journal's entry about this event.
  func entry(of user: User?, by requester: Requester?) -> JournalEntry {
    var fields = values
    if let user { fields.append(("user", user.name)) }
    if let requester { fields += requester.fields }
    var entry = JournalEntry(level: level, message: message, fields: fields)
    entry.identifier = AuditEvent.messageIdentifier(of: kind)
    entry.process = requester.map(\.peer.pid)
    return entry
  }
}
