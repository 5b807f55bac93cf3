import CLinux
import CPAM

/// In which form the user is asked.
enum PromptForm {
  /// By the module itself, on the terminal: one prompt that a finger or a passcode ends.
  case line
  /// By the host's conversation in a child of the host, on which this process does not wait: one prompt, too.
  case aside
  /// By the host's conversation: a message about the finger, and the host's own passcode prompt.
  case host
  /// The same, and while a finger is waited for the Enter key asks for the passcode.
  case hostWithEnter

  /// The terminal may be taken only where the host would ask on it, too, and where nobody else in the process could get in between: a
  /// signal that goes to another thread would end or stop the host while the terminal has no echo.
  init(for transaction: borrowing Transaction, on terminal: inout PasscodeLine) {
    // There is nothing to ask for. On a terminal the Enter key ends the waiting, and another module asks.
    if ModuleKind.takesFingerOnly {
      self = .host
      return
    }
    if transaction.isPolkit {
      self = PromptForm.ofPolkit(&terminal)
      return
    }
    if transaction.endsItsQuestion, clinux_has_one_thread() == 1 {
      self = .aside
      return
    }
    guard let name = unsafe transaction.cString(of: PAM_TTY), unsafe PromptForm.isTerminal(name, terminal: &terminal),
      transaction.item(PAM_RHOST).isEmpty, clinux_has_one_thread() == 1
    else {
      self = .host
      return
    }
    if transaction.isSudo {
      // sudo asks on the terminal wherever its input comes from, unless it was told otherwise.
      self = PromptForm.sudoHasOwnPrompt() ? .host : .line
    } else {
      self = terminal.isOf(STDIN_FILENO) ? .line : .host
    }
  }

  /// polkit's helper passes its conversation on to the user's agent, whose window goes when the helper ends. An agent on a terminal, of
  /// which the helper is a child, would go on waiting for Enter.
  private static func ofPolkit(_ terminal: inout PasscodeLine) -> PromptForm {
    if terminal.exists { return .hostWithEnter }
    return clinux_has_one_thread() == 1 ? .aside : .host
  }

  /// What this form means for who waits for whom: a host that shows a message, or a window with a field, hears no passcode while a finger
  /// is waited for.
  var question: QuestionForm {
    switch self {
    case .host: .alone
    case .aside: .standing
    case .line, .hostWithEnter: .beside
    }
  }

  /// `name` is a path, or has a path below /dev.
  private static func isTerminal(_ name: UnsafePointer<CChar>, terminal: inout PasscodeLine) -> Bool {
    if unsafe name[0] == CChar(UInt8(ascii: "/")) { return unsafe terminal.isAt(name) }
    var path = TextLine("/dev/")
    var index = 0
    while index < FieldLimit.name, case let byte = unsafe name[index], byte != 0 {
      path.put(UInt8(bitPattern: byte))
      index &+= 1
    }
    return unsafe path.withCString { path in unsafe terminal.isAt(path) }
  }

  private static func sudoHasOwnPrompt() -> Bool {
    guard var words = SecretBytes(capacity: 4096), CommandLine.fill(&words) else { return true }
    return SudoWords.wantOwnPrompt(words.span)
  }
}
