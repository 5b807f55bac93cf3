import CAudit
import DaemonService
import SignetVocabulary

/// What auditd is told of an event, for reports that an administrator has of all authentication: `ausearch -m USER_AUTH`.
struct AuditRecord {
  var type: Int32
  var operation: StaticString
  var isSuccess = true

  /// `nil` for events that no report of auditd's has a place for.
  init?(_ event: Event) {
    switch event {
    case .authenticated(.passcode, _): self.init(CAUDIT_USER_AUTH, "signet:passcode")
    case .authenticated: self.init(CAUDIT_USER_AUTH, "signet:fingerprint")
    case .missed: self.init(CAUDIT_USER_AUTH, "signet:fingerprint", isSuccess: false)
    case .wrongPasscode: self.init(CAUDIT_USER_AUTH, "signet:passcode", isSuccess: false)
    case .locked(.strikes): self.init(CAUDIT_RESP_ACCT_LOCK, "signet:fingerprints")
    case .lockRequested: self.init(CAUDIT_ACCT_LOCK, "signet:fingerprints")
    case .unlocked, .reset: self.init(CAUDIT_ACCT_UNLOCK, "signet:fingerprints")
    case .enrolled, .imported: self.init(CAUDIT_USER_CHAUTHTOK, "signet:enroll")
    case .deleted: self.init(CAUDIT_USER_CHAUTHTOK, "signet:delete")
    default: return nil
    }
  }

  private init(_ type: Int, _ operation: StaticString, isSuccess: Bool = true) {
    (self.type, self.operation, self.isSuccess) = (Int32(type), operation, isSuccess)
  }

  /// Hands it to auditd. One thread at a time.
  ///
  /// - Returns: false where libaudit is missing, or the kernel takes no record.
  func write(about user: User, on terminal: String) -> Bool {
    unsafe operation.utf8Start.withMemoryRebound(to: CChar.self, capacity: operation.utf8CodeUnitCount + 1) { operation in
      unsafe caudit_write(type, operation, user.name, user.uid, terminal.isEmpty ? nil : terminal, isSuccess ? 1 : 0) != 0
    }
  }
}
