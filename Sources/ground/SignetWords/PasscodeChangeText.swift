#if !hasFeature(Embedded)
  import SignetVocabulary
#endif

/// What a user is told whose new passcode signetd did not take. `RefusalText` has the same words.
public enum PasscodeChangeText {
  /// `nil` for a refusal that is about a file, which `signet status` tells of, and for what this version does not know.
  // Inlined for the module, which must see the literals: reading an unknown StaticString may trap.
  @inline(__always)
  public static func of(_ refusal: RefusalCode?) -> StaticString? {
    switch refusal {
    case .otherUsersPasscode: "Only the user or root may say so."
    case .passcodeFailed: "The passcode is wrong."
    case .passcodeDelayed: "Too many wrong passcodes; try again later. `signet status` says when."
    case .passcodeUnchecked: "The passcode could not be checked; see the log of signetd."
    case .cancelled: "Cancelled; nothing was changed."
    case .oldPasscodeOpensVault:
      "Your vault still opens with the old passcode only. `signet vault recover` takes it; nothing is lost."
    default: nil
    }
  }

  /// Where nobody knows more.
  public static var notTaken: StaticString {
    "Signet did not take the new passcode; a vault may open with the old one only. After the next login: signet vault recover"
  }
}
