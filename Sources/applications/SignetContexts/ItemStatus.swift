#if !hasFeature(Embedded)
  import SignetClient
  import SignetVocabulary
#endif

/// How a request of items ended, with the numbers of Apple's `OSStatus`. One that is not listed keeps its number.
public struct ItemStatus: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static var success: ItemStatus { ItemStatus(rawValue: 0) }
  public static var unimplemented: ItemStatus { ItemStatus(rawValue: -4) }
  public static var diskFull: ItemStatus { ItemStatus(rawValue: -34) }
  public static var parameter: ItemStatus { ItemStatus(rawValue: -50) }
  public static var allocate: ItemStatus { ItemStatus(rawValue: -108) }
  public static var userCanceled: ItemStatus { ItemStatus(rawValue: -128) }
  public static var notAvailable: ItemStatus { ItemStatus(rawValue: -25291) }
  public static var authFailed: ItemStatus { ItemStatus(rawValue: -25293) }
  public static var duplicateItem: ItemStatus { ItemStatus(rawValue: -25299) }
  public static var itemNotFound: ItemStatus { ItemStatus(rawValue: -25300) }
  public static var dataTooLarge: ItemStatus { ItemStatus(rawValue: -25302) }
  public static var interactionNotAllowed: ItemStatus { ItemStatus(rawValue: -25308) }
  public static var missingEntitlement: ItemStatus { ItemStatus(rawValue: -34018) }

  /// What an item comes to that was stored for fingers which are not the enrolled ones any more: there is one, and nothing that
  /// anybody proves opens it.
  public static var fingersChanged: ItemStatus { authFailed }

  public init(_ error: ContextError) {
    switch error {
    case .client: self = .notAvailable
    case .refused(let code): self = ItemStatus(code)
    case .cancelled(.user): self = .userCanceled
    // As Apple's keychain: of the ways in which an evaluation ends, only the user's own has a number of its own.
    case .cancelled, .invalidated, .inUse: self = .authFailed
    case .notInteractive: self = .interactionNotAllowed
    case .unusable: self = .parameter
    case .noMemory: self = .allocate
    }
  }

  private init(_ code: RefusalCode) {
    switch code {
    case .notFound: self = .itemNotFound
    case .duplicateItem: self = .duplicateItem
    case .cancelled: self = .userCanceled
    case .interactionNotAllowed: self = .interactionNotAllowed
    case .vaultFull: self = .diskFull
    case .fingersChanged: self = .fingersChanged
    case .notVerified, .locked, .fingerOnly, .fingerOnlyNoneEnrolled, .passcodeNotSet, .passcodeFailed, .passcodeDelayed,
      .passcodeUnchecked, .notEnrolled, .vaultLockedMeanwhile, .permissionDenied, .otherUser, .loginSecretIsForLogins,
      .keyOnlySigns, .nothingToAsk, .asleep, .accountClosed, .passcodeExpired, .accountUnknown:
      self = .authFailed
    case .loginSecretLength, .loginSecretZeroByte: self = .parameter
    case .noMemory: self = .allocate
    default: self = .notAvailable
    }
  }

  /// The number in words, as Apple's `SecCopyErrorMessageString` has them; empty for one that is not listed here.
  public var text: StaticString {
    switch self {
    case .success: "No error."
    case .unimplemented: "Function or operation not implemented."
    case .diskFull: "The disk is full."
    case .parameter: "One or more parameters passed to a function were not valid."
    case .allocate: "Failed to allocate memory."
    case .userCanceled: "User canceled the operation."
    case .notAvailable: "No keychain is available. You may need to restart your computer."
    case .authFailed: "The user name or passphrase you entered is not correct."
    case .duplicateItem: "The specified item already exists in the keychain."
    case .itemNotFound: "The specified item could not be found in the keychain."
    case .dataTooLarge: "This item contains information which is too large or in a format that cannot be displayed."
    // Apple's words, and what the first hour of everybody who brings a program here needs to know.
    case .interactionNotAllowed:
      "User interaction is not allowed. An item for unlocked sessions needs one that Signet opened, or somebody to ask: signet-vault(1)."
    case .missingEntitlement: "A required entitlement isn't present."
    default: ""
    }
  }
}
