#if !hasFeature(Embedded)
  import SignetLanguage
  import SignetVocabulary
#endif

/// Why only the passcode may go on, in all the forms in which it is said.
public enum LockText {
  /// At a login: why no finger is asked for.
  // Inlined for the module, which must see the literals: reading an unknown StaticString may trap.
  @inline(__always)
  public static func prompt(_ reason: LockReason?) -> StaticString {
    switch reason {
    case .strikes: "Fingerprints are locked after too many attempts. Enter your passcode."
    case .stateUnusable: "Fingerprints cannot be used before your passcode. Enter your passcode."
    case .restart: "Your passcode is required after a restart"
    case .inactivity: "Your passcode is required after a long time without an unlock"
    case .passcodeAge: "Your passcode is required from time to time"
    case .requested: "Your passcode is required: fingerprints were locked on request"
    case .fingersChanged: "Your passcode is required: the enrolled fingers changed"
    case .vaultClosed: "Your passcode is required to open your vault"
    case .some(.none), nil: "Your passcode is required"
    }
  }

  #if !hasFeature(Embedded)
    /// In `signet history`.
    public static func event(_ reason: LockReason) -> String {
      switch reason {
      case .strikes: say("Fingerprints locked: too many misses in a row")
      case .stateUnusable: say("Fingerprints locked: the state file cannot be used")
      case .restart: say("Fingerprints locked: no passcode since the machine was started")
      case .inactivity: say("Fingerprints locked: not unlocked for too long")
      case .passcodeAge: say("Fingerprints locked: the last passcode is too old")
      case .requested: say("Fingerprints locked: on request")
      case .fingersChanged: say("Fingerprints locked: the enrolled fingers changed since the login secret was stored")
      case .vaultClosed: say("Fingerprints locked: the vault is closed, and the login secret in it")
      case .none: say("Fingerprints locked: reason 0")
      }
    }

    /// In `signet status`: whether they are locked, why, and the way out. What time requires, only the passcode ends; what
    /// misses or a request brought, root may end too.
    ///
    /// - Parameters:
    ///   - limit: the misses that lock.
    ///   - fault: for `stateUnusable`.
    public static func status(_ reason: LockReason, of user: String, limit: Int, fault: SystemError?) -> String {
      switch reason {
      // The last two are of one login, and no status has them.
      case .none, .fingersChanged, .vaultClosed: say("no")
      case .strikes:
        say("yes, after \(limit) misses in a row. The passcode unlocks, at a login or with sudo, or root: signet reset \(user)")
      case .stateUnusable: say("yes. \(fault.map(FaultText.of) ?? "")")
      case .restart: say("yes, since the machine was started. The passcode unlocks, at a login or with sudo")
      case .inactivity: say("yes, after a long time without an unlock. The passcode unlocks, at a login or with sudo")
      case .passcodeAge: say("yes, the passcode was not used for long. The passcode unlocks, at a login or with sudo")
      case .requested:
        say(
          "yes, by signet lock or a locked session. The passcode unlocks, at a login or with sudo, or root: signet reset \(user)")
      }
    }
  #endif
}
