import SignetWire
import SignetWords

/// What only the passcode, or root, can go on from, and when a passcode is looked at.
enum LockWords {
  /// Why the fingerprints are locked, and the way out.
  static func reason(_ status: StatusRow) -> String {
    switch status.lock {
    case .none: "no"
    case .strikes: "yes, after \(status.limit) misses in a row. \(passcodeOrRoot(status))"
    case .stateUnusable: "yes. " + (status.fault.map { Printable.text(FaultText.of($0)) } ?? "")
    case .restart: "yes, since the machine was started. The passcode at a login unlocks"
    case .inactivity: "yes, after a long time without an unlock. The passcode at a login unlocks"
    case .passcodeAge: "yes, the passcode was not used for long. The passcode at a login unlocks"
    case .requested: "yes, by signet lock. \(passcodeOrRoot(status))"
    // Of one login: no status has them.
    case .fingersChanged, .vaultClosed: "no"
    }
  }

  /// What time requires, only the passcode's use ends; what misses or a request brought, root may end too.
  private static func passcodeOrRoot(_ status: StatusRow) -> String {
    "The passcode at a login unlocks, or root: signet reset \(Printable.text(status.user))"
  }

  /// Wrong passcodes, and the wait that they cost; `nil` where there are none.
  static func passcodes(_ status: StatusRow) -> String? {
    guard status.wrongPasscodes > 0 || status.passcodeDelay > 0 else { return nil }
    let wrong = status.wrongPasscodes == .max ? "255 or more" : "\(status.wrongPasscodes)"
    return "\(wrong) wrong in a row" + (status.passcodeDelay > 0 ? ", next passcode in \(wait(status.passcodeDelay))" : "")
  }

  /// Rounded up: a passcode that is typed after so long is looked at.
  static func wait(_ seconds: UInt32) -> String {
    let rest = UInt64(seconds)
    if rest < 60 { return "\(rest) s" }
    return rest <= 7200 ? "\((rest + 59) / 60) min" : "\((rest + 3599) / 3600) h"
  }
}
