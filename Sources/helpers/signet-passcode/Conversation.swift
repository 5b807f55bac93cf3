import CLibc
import CLinux
import CPAM

/// Answers exactly one hidden question with the passcode. A second question, or a visible one, is refused. Messages of modules
/// are dropped, because nobody reads them here.
final class Conversation {
  private var passcode: SecretBytes?
  private(set) var progress = Progress.silent
  /// When the stack began to be asked, in milliseconds of the monotonic clock.
  private var began: Int64 = 0

  /// What the stack has asked so far.
  enum Progress {
    case silent
    /// One hidden question, which got the passcode.
    case answered
    /// Something that the passcode does not answer, before it was given away.
    case refused
    /// Something else, after it was.
    case askedMore
  }

  /// How long a stack takes that asks for more than the passcode, in milliseconds.
  ///
  /// Such a check counts for nothing, so how long it took must not tell whether the passcode was wrong, as pam_unix's delay would.
  /// Hashing, a directory and the modules behind the question are done by then.
  static let lengthOfAskedMore: Int64 = 3_000

  /// Copies the passcode, and adds the zero byte that ends libpam's strings; false where there is no memory. From now on the stack is asked.
  func take(_ source: Span<UInt8>) -> Bool {
    guard var copy = SecretBytes(capacity: FieldLimit.passcode + 1), copy.append(source), copy.append(0) else { return false }
    passcode = consume copy
    began = Conversation.now()
    return true
  }

  /// The structure that pam_start(3) keeps. It borrows this object: keep it alive until pam_end(3).
  var structure: pam_conv {
    unsafe pam_conv(
      conv: { count, messages, responses, context in
        guard let context = unsafe context else { return PAM_CONV_ERR }
        let conversation = unsafe Unmanaged<Conversation>.fromOpaque(context).takeUnretainedValue()
        return unsafe conversation.answer(count, messages, responses)
      }, appdata_ptr: Unmanaged.passUnretained(self).toOpaque())
  }

  private func answer(
    _ count: Int32, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?
  ) -> Int32 {
    guard let messages = unsafe messages, let responses = unsafe responses, count > 0, count <= PAM_MAX_NUM_MSG,
      let replies = unsafe calloc(Int(count), MemoryLayout<pam_response>.stride)?
        .bindMemory(to: pam_response.self, capacity: Int(count))
    else { return refuse() }
    for index in 0..<Int(count) {
      guard let message = unsafe messages[index], unsafe reply(to: message.pointee.msg_style, in: &replies[index]) else {
        unsafe drop(replies, count: Int(count))
        return refuse()
      }
    }
    unsafe responses.pointee = replies
    return PAM_SUCCESS
  }

  private func reply(to style: Int32, in response: inout pam_response) -> Bool {
    switch style {
    case PAM_TEXT_INFO, PAM_ERROR_MSG: return true
    case PAM_PROMPT_ECHO_OFF:
      guard progress == .silent, let text = unsafe takePasscode() else { return false }
      progress = .answered
      unsafe response.resp = text
      return true
    default: return false
    }
  }

  /// Gives the passcode away once, as text allocated with malloc(3), and wipes our copy. When pam_get_authtok(3) has made the
  /// text PAM_AUTHTOK, libpam wipes and frees it (`_pam_drop`), and wipes the item in pam_end(3). Against modules that free a
  /// copy unwiped there is M_PERTURB (`Confinement`).
  private func takePasscode() -> UnsafeMutablePointer<CChar>? {
    guard let given = passcode.take() else { return nil }
    return unsafe Conversation.duplicate(given)
  }

  private static func duplicate(_ text: borrowing SecretBytes) -> UnsafeMutablePointer<CChar>? {
    unsafe text.span.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return unsafe strdup(start.assumingMemoryBound(to: CChar.self))
    }
  }

  private func drop(_ replies: UnsafeMutablePointer<pam_response>, count: Int) {
    for index in 0..<count {
      guard let text = unsafe replies[index].resp else { continue }
      unsafe explicit_bzero(text, strlen(text))
      unsafe free(text)
    }
    unsafe free(replies)
  }

  private func refuse() -> Int32 {
    progress = progress == .silent || progress == .refused ? .refused : .askedMore
    passcode = nil
    return PAM_CONV_ERR
  }

  // MARK: - waiting

  /// What libpam calls in the place of its own wait, at the end of pam_authenticate(3) and whatever that answers (`PAM_FAIL_DELAY`).
  static let delay: @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void = { code, microseconds, context in
    guard let context = unsafe context else { return }
    let conversation = unsafe Unmanaged<Conversation>.fromOpaque(context).takeUnretainedValue()
    conversation.wait(code == PAM_SUCCESS ? 0 : Int64(microseconds) / 1000)
  }

  private func wait(_ milliseconds: Int64) {
    let end = progress == .askedMore ? began + Conversation.lengthOfAskedMore : Conversation.now() + milliseconds
    var until = timespec(tv_sec: Int(end / 1000), tv_nsec: Int(end % 1000) * 1_000_000)
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil) == EINTR {}
  }

  private static func now() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
