import CLinux
import CPAM

// What is known of single hosts, by the name of their service, and of where their words go. It decides how they are spoken to, never
// who gets in. What they ask for first is signetd's to say (`KnownService`).
extension Transaction {
  /// sddm 0.19 takes each message for the beginning of a password's change: the next question, whoever asks it and however much later,
  /// comes with three more, is never answered, and nobody logs in any more. It shows no message to anybody. xscreensaver makes a window of
  /// each, which has to be clicked away.
  var takesNoMessages: Bool { isService("sddm xscreensaver ") }

  /// Hosts whose question goes when they end, while it stands: a child of theirs may hold it (`PromptAside`). xsecurelock's service is
  /// Debian's `common-auth`. Of others that is not known: a window's own connection would break with its copy.
  var endsItsQuestion: Bool { isService("lightdm xsecurelock common-auth ") }

  /// Plasma's locker takes each answer that comes within 50 ms of its question for "no finger can be asked for", a success as well: the
  /// screen would stay locked.
  func awaitHost(since beginning: Int64) {
    guard isService("kde-fingerprint ") else { return }
    let end = beginning &+ 60
    // Once more where a signal of the host's ended the waiting.
    while case let left = end &- Clock.milliseconds(), left > 0, left <= 60 {
      _ = poll(nil, 0, Int32(truncatingIfNeeded: left))
    }
  }

  var isPolkit: Bool { isService("polkit-1 ") }

  var isSudo: Bool { isService("sudo sudo-i ") }

  /// Whether the host's output is no terminal, and not its own either: that of the command that it is to run. A program that was started
  /// at a terminal is taken for such a one, but for polkit's helper, which speaks to its agent there.
  var isOutputForeign: Bool {
    guard isatty(STDOUT_FILENO) == 0, !isPolkit else { return false }
    if isService("sudo sudo-i su su-l doas ") { return true }
    var terminal = PasscodeLine()
    return terminal.exists
  }

  /// Whether an empty answer comes from a script: of a pipe or a file, in which nobody learns that a finger is waited for now.
  var isAnsweredByScript: Bool { isatty(STDIN_FILENO) == 0 && isService("sudo sudo-i su su-l ") }

  /// Whether the service is one of these. Each has a blank behind it.
  //
  // Inlined, so that the compiler sees the literal (`TextLine.put`).
  @inline(__always)
  private func isService(_ names: StaticString) -> Bool {
    unsafe isService(names.utf8Start, count: names.utf8CodeUnitCount)
  }

  @inline(never)
  @unsafe private func isService(_ names: UnsafePointer<UInt8>, count: Int) -> Bool {
    let service = item(PAM_SERVICE)
    var (index, position, isSame) = (0, 0, true)
    while index < count {
      let letter = unsafe names[index]
      if letter == UInt8(ascii: " ") {
        if isSame, position == service.count { return true }
        (position, isSame) = (0, true)
      } else {
        isSame = isSame && position >= 0 && position < service.count && service[position] == letter
        position &+= 1
      }
      index &+= 1
    }
    return false
  }
}
