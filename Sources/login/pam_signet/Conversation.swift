import CLinux
import CPAM

/// The host's conversation function: the only way in which the module speaks.
struct Conversation {
  let transaction: Transaction

  /// Shows a prompt of signetd, unless the host wants silence.
  func show(
    _ prompt: Prompt, value: UInt8, detail: Span<UInt8>, enterAsksPasscode: Bool
  ) throws(Failure) {
    let isError = PromptText.isError(prompt)
    // A host without windows writes what is no error to its output, which is its command's: into a file or a pipe that is.
    guard !transaction.isSilent, isError || !transaction.isOutputForeign else { return }
    var line = TextLine()
    PromptText.write(prompt, value: value, detail: detail, enterAsksPasscode: enterAsksPasscode, into: &line)
    let style = isError ? PAM_ERROR_MSG : PAM_TEXT_INFO
    let code = unsafe line.withCString { text in unsafe cpam_prompt(transaction.handle, style, nil, text) }
    guard code == PAM_SUCCESS else { throw .conversation(code) }
  }

  /// What the host asks: what it would ask without this module. Scripts wait for these words, and sudo puts its own in their place.
  static var passwordPrompt: TextLine {
    var line = TextLine()
    line.sayPassword()
    return line
  }

  /// Shows one line about something that went wrong, unless the host wants silence. A host that cannot show it loses it.
  func complain(_ text: UnsafePointer<CChar>) {
    guard !transaction.isSilent else { return }
    _ = unsafe cpam_prompt(transaction.handle, PAM_ERROR_MSG, nil, text)
  }

  /// Asks for the passcode. Returns it with a zero behind it, as `PAM_AUTHTOK` wants it; `nil` where nothing was typed.
  ///
  /// libpam's copy is wiped whatever comes.
  func askPasscode(_ prompt: borrowing TextLine = Conversation.passwordPrompt) throws(Failure) -> SecretBytes? {
    guard var passcode = SecretBytes(capacity: FieldLimit.passcode &+ 1) else { throw .noMemory }
    var answer: UnsafeMutablePointer<CChar>?
    let code = unsafe prompt.withCString { text in
      unsafe cpam_prompt(transaction.handle, PAM_PROMPT_ECHO_OFF, &answer, text)
    }
    guard let answer = unsafe answer else { throw .conversation(code) }
    let count = unsafe Int(truncatingIfNeeded: strlen(answer))
    defer {
      unsafe explicit_bzero(answer, Int(max(0, count)))
      unsafe free(answer)
    }
    guard code == PAM_SUCCESS else { throw .conversation(code) }
    guard count > 0 else { return nil }
    guard count <= FieldLimit.passcode else { throw .passcodeTooLong }
    let text = unsafe Span<UInt8>(_unsafeStart: UnsafeRawPointer(answer).assumingMemoryBound(to: UInt8.self), count: count)
    guard passcode.append(text), passcode.append(0) else { throw .passcodeTooLong }
    return passcode
  }
}

/// Shows one line about something that went wrong.
//
// Inlined, as `TextLine.put` is and for the same traps.
@inline(__always)
func complain(_ words: StaticString, in transaction: borrowing Transaction) {
  let conversation = Conversation(transaction: copy transaction)
  var line = TextLine()
  line.say(words)
  unsafe line.withCString { text in unsafe conversation.complain(text) }
}
