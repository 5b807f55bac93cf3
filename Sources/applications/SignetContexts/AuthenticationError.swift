#if !hasFeature(Embedded)
  import SignetClient
  import SignetVocabulary
#endif

/// Why an evaluation did not succeed, with the numbers of Apple's `LAError`.
public enum AuthenticationError: Int32, CaseIterable, Sendable {
  case authenticationFailed = -1
  case userCancel = -2
  case userFallback = -3
  case systemCancel = -4
  case passcodeNotSet = -5
  case biometryNotAvailable = -6
  case biometryNotEnrolled = -7
  case biometryLockout = -8
  case appCancel = -9
  case invalidContext = -10
  case notInteractive = -1004

  /// `nil` for a success. A verdict of another version is a failure.
  public init?(_ verdict: Verdict) {
    switch verdict {
    case .success: return nil
    case .userCancel: self = .userCancel
    case .userFallback: self = .userFallback
    case .systemCancel: self = .systemCancel
    case .passcodeNotSet: self = .passcodeNotSet
    // What opens no account has no number of Apple's. `Verdict.explanation` says which it is.
    case .biometryNotAvailable, .accountClosed, .passcodeExpired, .accountUnknown: self = .biometryNotAvailable
    case .biometryNotEnrolled: self = .biometryNotEnrolled
    case .biometryLockout: self = .biometryLockout
    case .appCancel: self = .appCancel
    case .invalidContext: self = .invalidContext
    case .notInteractive: self = .notInteractive
    default: self = .authenticationFailed
    }
  }

  /// What an evaluation comes to that signetd gave no verdict on: nothing that happened to the connection proves or disproves
  /// anything.
  public init(_ error: ContextError) {
    switch error {
    case .cancelled(let reason): self = AuthenticationError(reason.verdict) ?? .systemCancel
    case .invalidated: self = .invalidContext
    case .inUse: self = .systemCancel
    case .notInteractive, .refused(.interactionNotAllowed): self = .notInteractive
    case .refused(.permissionDenied), .refused(.otherUser), .unusable: self = .invalidContext
    case .refused(.cancelled): self = .userCancel
    case .refused(.asleep): self = .systemCancel
    case .client, .refused, .noMemory: self = .biometryNotAvailable
    }
  }

  /// What happened, in a few words.
  public var text: StaticString {
    switch self {
    case .authenticationFailed: "Application retry limit exceeded."
    case .userCancel: "Authentication canceled."
    case .userFallback: "Fallback authentication mechanism selected."
    case .systemCancel: "UI canceled by system."
    case .passcodeNotSet: "Passcode not set."
    case .biometryNotAvailable: "Biometry is not available on this device."
    case .biometryNotEnrolled: "Biometry is not enrolled."
    case .biometryLockout: "Biometry is locked out."
    case .appCancel: "Authentication canceled."
    case .invalidContext: "Authentication failure."
    case .notInteractive: "User interaction required."
    }
  }
}

extension ContextError {
  /// What happened and what to do about it, for whoever debugs a program or a machine.
  public var explanation: StaticString {
    switch self {
    case .client(.noHelper): "Nobody answers at signetd's socket. As root: systemctl start signetd.socket"
    case .client(.untrustedHelper): "What listens at signetd's socket is neither root's nor the caller's: nothing was sent."
    case .client(.closed): "signetd closed the connection. Its log: journalctl -u signetd"
    case .client(.silent), .client(.overdue): "signetd is stopped or stuck. As root: systemctl restart signetd"
    case .client(.malformed): "What answers does not speak this version's protocol. Restart signetd after an update."
    case .client(.busy(.ofAsker)): "Too many of the user's own requests are open."
    case .client(.busy(.ofServices)): "Too many requests of the system's services are open."
    case .client(.cancelled), .cancelled: "Canceled."
    case .refused(let code): code.explanation
    case .invalidated: "The context was invalidated."
    case .notInteractive:
      "Nobody can be asked: no callbacks, no terminal in the foreground, and no desktop with a notification service and a pinentry."
    case .unusable: "A text or a value is longer than it may be."
    case .inUse: "Another request is under way in this context."
    case .noMemory: "The process has no memory or no descriptor left."
    }
  }
}

extension Verdict {
  /// What the error's number does not say; empty for most.
  public var explanation: StaticString {
    switch self {
    case .accountClosed: RefusalCode.accountClosed.explanation
    case .passcodeExpired: RefusalCode.passcodeExpired.explanation
    case .accountUnknown: RefusalCode.accountUnknown.explanation
    default: ""
    }
  }
}

extension RefusalCode {
  /// Why signetd does not do it.
  fileprivate var explanation: StaticString {
    switch self {
    case .permissionDenied, .otherUser: "signetd does not let this program ask that."
    case .notFound: "There is no such item."
    case .duplicateItem: "There is such an item already."
    case .vaultFull: "The vault is full."
    case .vaultUnavailable, .vaultNotOpened, .noVault: "The vault does not open. See: signet status"
    case .fingersChanged: "The enrolled fingers changed since the item was stored, and nothing opens it any more."
    case .notVerified: "Not recognised, or a wrong passcode."
    case .locked: "Fingerprints or passcodes are locked. See: signet status"
    case .fingerOnly: "Only a finger opens this."
    case .fingerOnlyNoneEnrolled: "Only a finger opens this, and none is enrolled. See: signet enroll"
    case .passcodeNotSet: "The user has no passcode."
    case .passcodeDelayed: "Too many wrong passcodes: none is looked at for a while."
    case .nothingToAsk: "No finger and no passcode could be asked for."
    case .interactionNotAllowed: "Something would have to be asked, which was forbidden."
    case .cancelled: "Canceled."
    case .asleep: "The machine is about to sleep."
    case .accountClosed: "The account is closed: ask the administrator."
    case .passcodeExpired: "The passcode must be changed: run passwd."
    case .accountUnknown: "The directory gives no answer, so that nobody knows whether the account is open."
    default: "signetd refused. See: signet history"
    }
  }
}
