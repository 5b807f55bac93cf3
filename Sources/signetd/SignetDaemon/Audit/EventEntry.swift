import DaemonService
import SignetVocabulary
import SignetWire

/// What signetd says of events of one kind.
struct EventEntry {
  /// `MESSAGE_ID`, the same for ever: what `journalctl MESSAGE_ID=` finds. signetd(8) lists them.
  let identifier: String
  let level: Log.Level
  /// In words, without the parameters.
  let message: String
  /// Whether a program can cause it as often as it likes, without a finger or a passcode: see `HistoryQuota` and `LogShares`.
  let isCheap: Bool

  private init(_ identifier: String, _ level: Log.Level, _ message: String, isCheap: Bool = false) {
    self.identifier = identifier
    self.level = level
    self.message = message
    self.isCheap = isCheap
  }

  init(_ kind: Event.Kind) {
    self =
      switch kind {
      case .authenticated: .init("8f767a65f1994fd79954af63918f7ab1", .notice, "authenticated")
      case .missed: .init("b7130042cd764e2a9144b059230bf477", .warning, "not recognised")
      case .poorScansExhausted: .init("aa6daeeb316b4ec2b368cf18e4287773", .warning, "too many poor scans: one strike")
      case .strikeGivenBack:
        .init("b45ed707d8ba43669027d59691451f10", .info, "no finger was looked at: no strike", isCheap: true)
      case .strikeKept:
        .init("8e15c39661424dc8ad647f9977789aee", .warning, "the strike stays: the reader was lost while it was armed")
      case .locked:
        .init("880b8605cc8a493394a0848d54f0cba2", .notice, "fingerprints locked: the passcode is required", isCheap: true)
      case .passcodeVerified: .init("8de4380370ed451f9f89f8573e05c103", .notice, "passcode verified")
      case .wrongPasscode: .init("0dad35b95c734354a55b4fa7f2c0cec7", .warning, "wrong passcode")
      case .passcodeDelayed:
        .init(
          "ad04285a5c664949bb8efc0f17d66ca4", .warning, "too many wrong passcodes: none is taken for a while", isCheap: true)
      case .unlocked: .init("86f33eb10dc746af93670957f54e40b6", .notice, "fingerprints unlocked by the passcode")
      case .lockRequested:
        .init("b55aede13e65433a831693895c5ff06c", .notice, "fingerprints locked on request", isCheap: true)
      case .reset: .init("e51e3d7e819945e499d7bdd17b668ecf", .notice, "strikes reset by root")
      case .enrolled: .init("a2783dbab7f54cb3a6a6d50656a3c5cc", .notice, "finger enrolled")
      case .imported: .init("1e1efd91028444e38528e4b0422990a5", .notice, "finger taken over from fprintd")
      case .deleted: .init("2066be367202490784311c0509791a15", .notice, "finger deleted")
      case .released: .init("70c41cb7d2e543a38b10ce13c57f3b43", .info, "token released")
      case .sessionOpened: .init("bb3942cc036642189d7a7896cc2093a2", .notice, "session opened")
      case .sessionClosed: .init("4b0453d6203d457cb4da718f46053ed0", .notice, "session closed")
      case .sessionRevoked: .init("50b1e1567f2e43b28f2f550df8d18947", .notice, "session revoked")
      case .refused:
        .init("02fa7c21e3cf4875995e9602f2af6296", .warning, "refused: asked what only the user or root may", isCheap: true)
      case .passcodeUnavailable:
        .init("0f17f25bc97041828eab19e763fa9725", .error, "the passcode could not be checked", isCheap: true)
      case .readerUnavailable:
        .init("781262abb40e4188bf9a8492b23dacbf", .warning, "the reader cannot be used", isCheap: true)
      case .ended: .init("d0ee59c5438d4f3d8d41935f859616c9", .info, "ended without evidence", isCheap: true)
      case .stateUnusable: .init("2c09cc46eeff4859bbefd3ef438360ec", .error, "the state cannot be used", isCheap: true)
      case .configurationUnusable: .init("48d1377862ad4c8ca50b221655ff5cab", .error, "the configuration cannot be used")
      case .gap: .init("461a5a22c37b4103bdbec6bbcba7460b", .warning, "a part of the history is missing")
      case .vaultRewrapped: .init("5bd435c0ecb64716a8d526ae43e4d753", .notice, "the vault opens with the new passcode")
      case .vaultUnopened:
        .init("3e9f63be8642435fb2c29bf0996c5486", .warning, "the passcode is right, and does not open the vault")
      case .itemReleased: .init("db8cebd545e14e1fb45a89c10cfa390c", .info, "item released", isCheap: true)
      case .itemStored: .init("bf5717ba43c8414e9b6584c6598208eb", .info, "item stored", isCheap: true)
      case .itemDeleted: .init("4125fae7719a4c3e9873899f84cb56fb", .info, "item deleted", isCheap: true)
      case .itemsLost: .init("5b0f2c6d8e914a7fb3d61c2740a9e85d", .notice, "items lost: the fingers change")
      case .vaultRecovered: .init("86bdbe94b3f8459489af6afd44b2488c", .notice, "vault recovered with the old passcode")
      case .vaultReset: .init("1ab4ce00e49f499999d62557196ac706", .notice, "vault emptied")
      case .loginSecretReleased: .init("7b20ac484a4b40da8a3908c01bd79122", .notice, "login secret released by finger")
      case .accessTokenIssued: .init("9d0c5b5be1ab4fcbb3f47a4e6a2ef0c1", .info, "access token issued", isCheap: true)
      case .refreshTokenReused:
        .init("4c8e6f0cb6d8476a8f1e2f5f0f7f1d35", .warning, "a refresh token was used twice: its chain has ended", isCheap: true)
      case .keyMade: .init("c3f1d9b64e7a4b0f9a5c28e07d61b342", .info, "key made", isCheap: true)
      case .keySigned: .init("a86e2f05d3b94c1789f40b6e5c17d2e9", .info, "signed with a key", isCheap: true)
      case .keyAgreed: .init("4d0b7a93e51f4c6c8e27d9a10f3b6c85", .info, "agreed on a secret with a key", isCheap: true)
      case .passkeyMade: .init("2c7b9e41f05d4a83b6e8d1307a94c5f2", .info, "passkey made", isCheap: true)
      case .passkeyUsed: .init("91d4e6a70b3f4c5e8a27f60d9b18c3e4", .info, "passkey used", isCheap: true)
      case .passkeyDeleted: .init("e05a83c2d7164fb99c4b72e6f8a1d350", .info, "passkey deleted", isCheap: true)
      case .repeated: .init("f6b1c801169dff11f4789130d5c606a5", .notice, "more of the same, without rows of their own")
      case .loginSecretStored: .init("f089c54829934a8e8c19eb2594c941e5", .notice, "login secret stored from the passcode")
      }
  }
}

extension Event {
  /// Whether a program can cause it as often as it likes. A release for which nothing was proved is one, too: a program may read what
  /// asks for nothing all day. So is a success by the finger that logged in or unlocked the screen before, which names none.
  var isCheap: Bool {
    EventEntry(kind).isCheap || self == .itemReleased(.none) || self == .authenticated(.fingerprint, nil)
  }

  /// The journal's entry about this event.
  package func entry(of user: User?, by requester: Requester?) -> JournalEntry {
    let words = EventEntry(kind)
    let message =
      switch self {
      case .refused(.authenticate): "refused: asked to authenticate as another user"
      case .refused(.openSession): "refused: a session with a token that is not its own, or one too many"
      default: words.message
      }
    var fields = parameters.compactMap(\.field)
    if let user { fields.append(("user", user.name)) }
    if let requester { fields += requester.fields }
    var entry = JournalEntry(level: words.level, message: message, fields: fields)
    entry.identifier = words.identifier
    entry.process = requester.map(\.peer.pid)
    return entry
  }
}

extension EventParameter {
  /// Its name and value in the log; the words are those of the protocol.
  fileprivate var field: Log.Fields.Element? {
    switch self {
    case .method(let method): ("method", "\(method)")
    case .finger(let finger): finger.map { ("finger", $0.name) }
    case .session(let session): ("session", session.text)
    case .passkey(let passkey): ("passkey", passkey.text)
    case .strikes(let number): ("strikes", "\(number)")
    case .count(let number): ("count", "\(number)")
    case .minutes(let number): ("minutes", "\(number)")
    case .items(let number): ("items", "\(number)")
    case .gap(let unit): ("unit", "\(unit)")
    case .lock(let reason): ("reason", "\(reason)")
    case .request(let request): ("request", "\(request)")
    case .failure(let failure): failure.map { ("failure", "\($0)") }
    case .verdict(let verdict): ("verdict", verdict.name)
    case .cause(let cause): ("cause", "\(cause)")
    case .isCancelled(let flag): ("cancelled", flag ? "yes" : "no")
    case .kind(let kind): ("event", "\(kind)")
    case .isReplaced(let flag): ("replaced", flag ? "yes" : "no")
    }
  }
}
