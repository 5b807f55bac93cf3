import CLinux
import CPAM

/// The journal (`LOG_AUTHPRIV`), through libpam, which names module, service and kind of call. Never a secret.
extension Transaction {
  func log(_ priority: Int32, _ line: borrowing TextLine) {
    unsafe line.withCString { text in unsafe cpam_log(handle, priority, text) }
  }

  /// A step, for somebody who wrote `debug` into the configuration.
  @inline(__always)
  func debug(_ text: StaticString, _ number: Int? = nil) {
    if options.isDebug { unsafe write(LOG_DEBUG, text.utf8Start, text.utf8CodeUnitCount, number) }
  }

  @inline(__always)
  func report(_ text: StaticString, _ number: Int? = nil) {
    unsafe write(LOG_ERR, text.utf8Start, text.utf8CodeUnitCount, number)
  }

  private func write(_ priority: Int32, _ start: UnsafePointer<UInt8>, _ count: Int, _ number: Int?) {
    var line = TextLine()
    unsafe line.put(start: start, count: count)
    if let number {
      line.put(" ")
      line.put(number)
    }
    log(priority, line)
  }

  /// An error: what happened, and what to do about it.
  func log(_ failure: Failure) {
    switch failure {
    case .nested: debug("not asked: this call checks a passcode for signetd")
    case .remote: debug("not asked: the user is not at this machine")
    case .noUser(let code): report("there is no user name to authenticate, PAM code", Int(code))
    case .unusableName: report("no user can have this name; is the program that asks broken?")
    case .userChanged: report("the user changed during the conversation; is the program that asks broken?")
    case .noMemory: report("no memory for a packet; free some")
    case .client(let error): log(error)
    case .conversation(let code): report("the program that asks could not show a message or prompt, PAM code", Int(code))
    case .passcodeTooLong: report("a passcode was longer than PAM allows, and was not sent to signetd")
    case .keyNotAdded: report("the session has no token: the kernel takes no key, or the user has no uid; see /proc/key-users")
    case .ringNotLeft: report("the session has its caller's keyring: the kernel gives no other; see /proc/key-users")
    case .refused: report("the session has no token: signetd refused it; see its journal: journalctl -u signetd")
    case .triesUsed: debug("so many misses as max-tries allows")
    case .passcodeWanted: debug("signetd wants the passcode, which this module does not ask for")
    case .notKept(let code): report("libpam could not keep the token, PAM code", Int(code))
    }
  }

  private func log(_ error: ClientError) {
    switch error {
    case .noHelper(let cause):
      report("no signetd at its socket; start it: systemctl start signetd.socket; errno", Int(cause))
    case .untrustedHelper(let uid):
      report("the listener at signetd's socket is not root and not believed; look who it is, uid", Int(uid))
    case .closed(let cause): report("signetd closed the connection; see its journal: journalctl -u signetd; errno", Int(cause))
    case .silent: report("signetd is silent; restart it: systemctl restart signetd")
    case .overdue: report("signetd answers but does not decide; see its journal: journalctl -u signetd")
    case .malformed: report("signetd does not speak this module's protocol; install both from one version")
    case .busy(let crowd):
      report(
        crowd == .ofAsker
          ? "too many connections to signetd are open for whoever asks; close some of their prompts"
          : "too many connections to signetd are open for the system's services; see its journal: journalctl -u signetd")
    case .cancelled: debug("cancelled by the user")
    }
  }

  /// A program that is no part of Signet has the reader: which one, where signetd knows.
  func logHolder(_ name: Span<UInt8>) {
    var line = TextLine("no finger was asked for: another program holds the reader: ")
    if name.isEmpty || !line.put(foreign: name) { line.put("signet doctor --only readers, as root, says which") }
    log(LOG_WARNING, line)
  }

  /// Names the word of the configuration that is not understood.
  func logBadWord(_ word: UnsafePointer<CChar>) {
    var line =
      ModuleKind.takesFingerOnly
      ? TextLine("the PAM configuration has an unknown option or a bad value, which counts for nothing; see pam_fprintd(8): ")
      : TextLine("the PAM configuration has an unknown option or a bad value; see pam_signet(8): ")
    let count = unsafe strnlen(word, 120)
    let text = unsafe Span<UInt8>(
      _unsafeStart: UnsafeRawPointer(word).assumingMemoryBound(to: UInt8.self), count: max(0, Int(count)))
    if !line.put(foreign: text) { line.put("(one with control characters)") }
    log(ModuleKind.takesFingerOnly ? LOG_WARNING : LOG_ERR, line)
  }
}
