import CPAM
import SignetWire

/// One nested PAM transaction: start, authenticate, end.
enum PasscodeTransaction {
  /// Whether the auth stack of the service in `check` takes its passcode for the user's.
  ///
  /// pam_unix delays its answer after a wrong passcode (pam_fail_delay(3)). That happens in here, and the client of signetd
  /// waits for it.
  static func check(_ check: PasscodeCheck) -> PasscodeAnswer {
    guard PasscodeService(name: check.service, confdir: check.confdir).isInstalled, isText(check.user.utf8.span) else {
      return PasscodeAnswer(outcome: .unavailable, code: UInt32(PAM_ABORT))
    }
    // A zero byte would cut the passcode: "right\0rest" is not the passcode "right".
    guard isText(check.passcode) || check.passcode.isEmpty else {
      return PasscodeAnswer(outcome: .wrong, code: UInt32(PAM_AUTH_ERR))
    }
    guard let conversation = Conversation(passcode: check.passcode) else {
      return PasscodeAnswer(outcome: .unavailable, code: UInt32(PAM_BUF_ERR))
    }
    let code = withExtendedLifetime(conversation) { authenticate(check.user, check, with: conversation) }
    return PasscodeAnswer(outcome: outcome(of: code, conversation), code: UInt32(bitPattern: code))
  }

  private static func authenticate(_ user: String, _ check: PasscodeCheck, with conversation: Conversation) -> Int32 {
    var structure = unsafe conversation.structure
    var handle: OpaquePointer?
    let started =
      check.confdir.isEmpty
      ? unsafe pam_start(check.service, user, &structure, &handle)
      : unsafe pam_start_confdir(check.service, user, &structure, check.confdir, &handle)
    guard started == PAM_SUCCESS, let started = unsafe handle else { return started == PAM_SUCCESS ? PAM_ABORT : started }
    var code = unsafe pam_authenticate(started, Int32(bitPattern: UInt32(PAM_SILENT)))
    // A module may have changed PAM_USER, and the passcode would then be another user's.
    if code == PAM_SUCCESS, unsafe !isStill(user, started) { code = PAM_USER_UNKNOWN }
    _ = unsafe pam_end(started, code)
    return code
  }

  private static func isStill(_ user: String, _ handle: OpaquePointer) -> Bool {
    var item: UnsafeRawPointer?
    guard unsafe pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS, let item = unsafe item else { return false }
    return unsafe String(cString: item.assumingMemoryBound(to: CChar.self)) == user
  }

  /// The outcome is `verified` only for the exact success code after one answered question. A code that says neither right nor
  /// wrong is `unavailable` where no module saw the passcode or its directory could not be reached, and otherwise `undecided`:
  /// a stack that asks once more after it had the passcode may have taken longer over a wrong one.
  private static func outcome(of code: Int32, _ conversation: Conversation) -> PasscodeAnswer.Outcome {
    if conversation.refused { return conversation.answered == 0 ? .unavailable : .undecided }
    switch code {
    case PAM_SUCCESS: return conversation.answered == 1 ? .verified : .notSet
    case PAM_AUTH_ERR, PAM_MAXTRIES: return .wrong
    case PAM_AUTHINFO_UNAVAIL: return .unavailable
    default: return conversation.answered == 0 ? .unavailable : .undecided
    }
  }

  private static func isText(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == 0 { return false }
    return !bytes.isEmpty
  }
}
