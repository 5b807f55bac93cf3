import CLinux
import CPAM

/// One nested PAM transaction. Its beginning loads the modules of the stack, which needs no passcode.
@safe final class PasscodeTransaction {
  private let user: String
  private let conversation = Conversation()
  private var handle: OpaquePointer?
  /// What the last call of libpam returned. Before the first one the service is missing.
  private var code = PAM_ABORT

  init(_ stack: PasscodeStack) {
    user = stack.user
    guard PasscodeService(name: stack.service, confdir: stack.confdir).isInstalled, PasscodeTransaction.isText(user.utf8.span)
    else {
      return
    }
    var structure = unsafe conversation.structure
    code =
      stack.confdir.isEmpty
      ? unsafe pam_start(stack.service, user, &structure, &handle)
      : unsafe pam_start_confdir(stack.service, user, &structure, stack.confdir, &handle)
    guard code == PAM_SUCCESS, let handle = unsafe handle else {
      if code == PAM_SUCCESS { code = PAM_ABORT }
      return
    }
    // Without it libpam would wait by itself: then too long or too short where the stack asks for more.
    code = unsafe pam_set_item(handle, PAM_FAIL_DELAY, unsafeBitCast(Conversation.delay, to: UnsafeRawPointer.self))
  }

  deinit {
    if let handle = unsafe handle { _ = unsafe pam_end(handle, code) }
  }

  /// Whether the auth stack takes the passcode for the user's. Call it once.
  ///
  /// pam_unix delays its answer after a wrong passcode (pam_fail_delay(3)). That happens in here, and the client of signetd
  /// waits for it.
  func check(_ passcode: Span<UInt8>) -> PasscodeAnswer {
    guard code == PAM_SUCCESS, let handle = unsafe handle else {
      return PasscodeAnswer(outcome: .unavailable, code: UInt32(bitPattern: code))
    }
    // A zero byte would cut the passcode: "right\0rest" is not the passcode "right".
    guard PasscodeTransaction.isText(passcode) || passcode.isEmpty else {
      return PasscodeAnswer(outcome: .wrong, code: UInt32(PAM_AUTH_ERR))
    }
    guard conversation.take(passcode) else { return PasscodeAnswer(outcome: .unavailable, code: UInt32(PAM_BUF_ERR)) }
    code = unsafe pam_authenticate(handle, Int32(bitPattern: UInt32(PAM_SILENT)))
    // A module may have changed PAM_USER, and the passcode would then be another user's. That does not make it a wrong one.
    if code == PAM_SUCCESS, unsafe !PasscodeTransaction.isStill(user, handle) { code = PAM_ABORT }
    return PasscodeAnswer(outcome: PasscodeTransaction.outcome(of: code, conversation), code: UInt32(bitPattern: code))
  }

  /// Whether the account stack lets the user in now. Call it once, and not after a check. No question of a module is answered.
  func judgeAccount() -> PasscodeAnswer {
    guard code == PAM_SUCCESS, let handle = unsafe handle else {
      return PasscodeAnswer(outcome: .accountUnknown, code: UInt32(bitPattern: code))
    }
    code = unsafe pam_acct_mgmt(handle, Int32(bitPattern: UInt32(PAM_SILENT)))
    // A module may have changed PAM_USER, and it would be another user's account.
    if code == PAM_SUCCESS, unsafe !PasscodeTransaction.isStill(user, handle) { code = PAM_ABORT }
    return PasscodeAnswer(outcome: PasscodeTransaction.outcome(ofAccount: code), code: UInt32(bitPattern: code))
  }

  /// Open only for the exact success code. The rest differs in what the user is told.
  private static func outcome(ofAccount code: Int32) -> PasscodeAnswer.Outcome {
    switch code {
    case PAM_SUCCESS: .accountOpen
    case PAM_NEW_AUTHTOK_REQD: .passcodeExpired
    // So long expired that its owner may not change it any more.
    case PAM_AUTHTOK_EXPIRED: .accountClosed
    default: isRefusal(code) ? .accountClosed : .accountUnknown
    }
  }

  private static func isStill(_ user: String, _ handle: OpaquePointer) -> Bool {
    var item: UnsafeRawPointer?
    guard unsafe pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS, let item = unsafe item else { return false }
    return unsafe strcmp(item.assumingMemoryBound(to: CChar.self), user) == 0
  }

  /// The outcome is `verified` only for the exact success code after one answered question, and `wrong` only for a refusal after
  /// it: a stack that refuses without asking, as pam_faillock does where somebody has failed too often, has judged no passcode.
  private static func outcome(of code: Int32, _ conversation: Conversation) -> PasscodeAnswer.Outcome {
    switch (conversation.progress, code) {
    case (.askedMore, _): .asksMore
    case (.refused, _): .unavailable
    case (.silent, _): code == PAM_SUCCESS ? .notSet : .unavailable
    case (.answered, PAM_SUCCESS): .verified
    case (.answered, PAM_AUTHINFO_UNAVAIL): .unavailable
    case (.answered, _): isRefusal(code) ? .wrong : .undecided
    }
  }

  /// Whether it says no to somebody whose passcode the stack has. SignetStackCheck's `ReturnName.isRefusal` has the same codes.
  ///
  /// libpam itself answers `PAM_PERM_DENIED` where a module's `PAM_IGNORE` ends the stack: that is what faillock's usual lines
  /// come to. A module that does not know the user is the last of many stacks of two directories.
  private static func isRefusal(_ code: Int32) -> Bool {
    switch code {
    case PAM_AUTH_ERR, PAM_MAXTRIES, PAM_PERM_DENIED, PAM_USER_UNKNOWN, PAM_CRED_INSUFFICIENT, PAM_CRED_ERR, PAM_ACCT_EXPIRED:
      true
    default: false
    }
  }

  private static func isText(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == 0 { return false }
    return !bytes.isEmpty
  }
}
