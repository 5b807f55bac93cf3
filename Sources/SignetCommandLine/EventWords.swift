import SignetVocabulary
import SignetWire

/// Events in words, for people.
enum EventWords {
  static func time(_ row: EventRow) -> String { row.time == 0 ? "-" : Moment.localSeconds(row.time) }

  static func event(_ row: EventRow) -> String {
    switch row.kind {
    case .authenticated: "Authenticated \(method(row))\(row.detail.isEmpty ? "" : ", \(row.detail)")"
    case .missed: "Finger not recognised: \(strikes(row))"
    case .poorScansExhausted: "Too many poor scans: \(strikes(row))"
    case .strikeGivenBack: "Ended before a finger was looked at: \(strikes(row))"
    case .strikeKept: "Reader lost while it waited for a finger, which counts: \(strikes(row))"
    case .locked: "Fingerprints locked: \(reason(row))"
    case .passcodeVerified: "Passcode right"
    case .wrongPasscode:
      (row.code == 1 ? "Passcode check cancelled, which counts" : "Passcode wrong")
        + (row.count > 1 ? ", \(row.count) in a row" : "")
    case .passcodeDelayed: "Passcode not asked for: \(row.count) \(row.count == 1 ? "minute" : "minutes") to wait"
    case .unlocked: "Unlocked by the passcode\(row.count > 0 ? ", \(strikes(row)) cleared" : "")"
    case .lockRequested: "Locked on request"
    case .reset: "Strikes and lock cleared by root"
    case .enrolled: "Enrolled \(row.detail)"
    case .deleted: "Deleted \(row.detail)"
    case .released: "Token \(row.detail) released \(method(row))"
    case .sessionOpened: "Session \(row.detail) opened \(method(row))"
    case .sessionClosed: "Session \(row.detail) closed"
    case .sessionRevoked: "Session \(row.detail) revoked"
    case .refused: "Refused: uid \(row.requester.uid) asked \(request(row))"
    case .passcodeUnavailable: "Passcode could not be checked"
    case .readerUnavailable: "Reader not usable\(failure(row))"
    case .ended: "Not authenticated: \(Verdict(rawValue: row.code).words)"
    case .stateUnusable: "State on disk cannot be used"
    case .configurationUnusable: "Configuration cannot be used"
    case .vaultRewrapped: "Vault opens with the new passcode"
    case .vaultUnopened: row.code == 3 ? "Vault stays closed: it has another passcode" : "Vault cannot be opened"
    case .itemReleased: row.code == 0 ? "Item read" : "Item released \(method(row))"
    case .itemStored: row.code == 1 ? "Item replaced" : "Item stored"
    case .itemDeleted: "Item deleted"
    case .vaultRecovered: "Vault recovered with the old passcode"
    case .vaultReset: "Vault emptied: \(row.count) \(row.count == 1 ? "item" : "items") lost"
    case .loginSecretReleased: "Login secret released by finger"
    case .loginSecretStored: "Login secret stored from the passcode"
    case .gap: "(\(row.count) \(row.code == 1 ? "events" : "bytes") of the history are missing)"
    }
  }

  /// `sudo on pts/0: /usr/bin/sudo (pid 4711, uid 0)`
  static func requester(_ requester: EventRequester) -> String {
    guard requester.pid != 0 else { return "-" }
    let place = requester.terminal.isEmpty ? "" : " on \(requester.terminal)"
    let service = requester.service.isEmpty ? "" : "\(requester.service)\(place): "
    let program = requester.program.isEmpty ? "" : "\(requester.program) "
    let login =
      [requester.uid, EventRequester.none].contains(requester.loginUser) ? "" : ", logged in as uid \(requester.loginUser)"
    return "\(service)\(program)(pid \(requester.pid), uid \(requester.uid)\(login))"
  }

  private static func strikes(_ row: EventRow) -> String { "\(row.count) \(row.count == 1 ? "strike" : "strikes")" }

  private static func method(_ row: EventRow) -> String {
    switch EvidenceMethod(rawValue: row.code) {
    case .fingerprint: "by finger"
    case .passcode: "by passcode"
    case .some(.none), nil: "by something else"
    }
  }

  private static func reason(_ row: EventRow) -> String {
    switch LockReason(rawValue: row.code) {
    case .strikes: "too many misses in a row"
    case .stateUnusable: "the state file cannot be used"
    case .restart: "no passcode since the machine was started"
    case .inactivity: "not unlocked for too long"
    case .passcodeAge: "the last passcode is too old"
    case .requested: "on request"
    case .fingersChanged: "the enrolled fingers changed since the login secret was stored"
    case .vaultClosed: "the vault is closed, and the login secret in it"
    case .some(.none), nil: "reason \(row.code)"
    }
  }

  private static func request(_ row: EventRow) -> String {
    guard let request = RequestKind(rawValue: row.code) else { return "for request \(row.code)" }
    return request == .authenticate ? "to authenticate as this user" : "for \(request)"
  }

  private static func failure(_ row: EventRow) -> String {
    switch ReaderFailure(rawValue: row.code) {
    case .notFound: ": not connected"
    case .busy: ": in use"
    case .removed: ": unplugged"
    case .tooHot: ": too hot"
    case .some(let failure): ": \(failure)"
    case nil: ""
    }
  }
}

extension Verdict {
  /// For a person: why there was no success.
  fileprivate var words: String {
    switch self {
    case .authenticationFailed: "no attempt left, or a wrong passcode"
    case .userCancel: "cancelled by the user"
    case .systemCancel: "cancelled by the system"
    case .appCancel: "the program went away"
    case .userFallback: "the user asked for the passcode"
    case .passcodeNotSet: "no passcode is set"
    case .biometryNotAvailable: "no reader, or no finger in time"
    case .biometryNotEnrolled: "no finger is enrolled"
    case .biometryLockout: "fingerprints are locked"
    case .invalidContext: "not allowed"
    case .notInteractive: "nobody to ask"
    default: name
    }
  }
}
