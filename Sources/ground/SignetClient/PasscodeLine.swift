import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// A prompt on the controlling terminal that stays while a finger is waited for, and takes a passcode: the kernel edits the line, and
/// what is typed is not shown. The rules of `QuietTerminal` hold; whoever takes it gives it back in the end.
public struct PasscodeLine: ~Copyable {
  private var terminal = QuietTerminal()
  /// What stands before the cursor.
  private var prompt = TextLine()
  /// The longest line that the kernel hands out (termios(3)).
  private static var capacity: Int { 4096 }

  public init() {}

  /// For poll(2); -1 where it is not taken.
  public var descriptor: Int32 { terminal.descriptor }
  public var isTaken: Bool { descriptor >= 0 }
  /// Whether its prompt stands on the terminal.
  public var isAsking: Bool { isTaken && prompt.count > 0 }

  public mutating func take() -> Bool { terminal.take(asWholeLines: true) }

  /// The same after a stop: who was continued in the background stops here again, until the terminal is theirs.
  public mutating func takeAgain() {
    terminal.awaitForeground()
    guard terminal.take(asWholeLines: true) else { return }
    terminal.write(prompt.span)
  }

  /// Whether this process has a controlling terminal at all.
  public var exists: Bool { mutating get { terminal.exists } }
  public mutating func isAt(_ path: UnsafePointer<CChar>) -> Bool { unsafe terminal.isAt(path) }
  public mutating func isOf(_ descriptor: Int32) -> Bool { terminal.isOf(descriptor) }

  /// Shows the prompt, in the place of an earlier one. What is typed already stays.
  public mutating func ask(_ words: consuming TextLine) {
    clear()
    prompt = words
    terminal.write(prompt.span)
  }

  /// Shows a message above the prompt. What is typed already stays.
  public mutating func show(_ message: borrowing TextLine) {
    let fits = fitsOneRow
    if fits { terminal.write("\r") } else { terminal.write("\r\n") }
    terminal.write(message.span)
    if fits { blank(prompt.columns &- message.columns) }
    terminal.write("\r\n")
    terminal.write(prompt.span)
  }

  /// Whether the prompt can be drawn over. On a terminal that is narrower it goes over several rows, of which the cursor returns to the
  /// last one only: what comes next goes below it then.
  private var fitsOneRow: Bool {
    let width = terminal.width
    return width <= 0 || prompt.columns < width
  }

  /// Takes what poll(2) announced. A whole line ends with a zero in the place of its newline, as C strings do, and a terminal that gave
  /// one, or an end, is given back.
  public mutating func read(into passcode: inout SecretBytes?) -> TypedLine {
    guard terminal.isReadable() else { return .nothing }
    guard var line = SecretBytes(capacity: PasscodeLine.capacity) else {
      // What cannot be read would be announced again and again.
      giveBack()
      return .end
    }
    let isBegun = clinux_typed(descriptor) > 0
    var typed = TypedLine.take(from: descriptor, into: &line)
    switch typed {
    case .nothing, .empty: return typed
    case .end, .tooLong: break
    case .line:
      line.removeLast()
      // Cut, as a C string would be, a wrong one might be right.
      typed = line.count <= FieldLimit.passcode && !line.hasZero && line.append(0) ? .line : .tooLong
    }
    switch typed {
    // What is behind it is for whoever reads next.
    case .line:
      passcode = consume line
      end(.kept)
    // Pasted, most likely, with more lines behind it, which the shell would run.
    case .tooLong: end(.awaited)
    // Elsewhere a line that is begun needs a second Ctrl-D, which would end the shell.
    case .end where isBegun: end(.awaited)
    default: end(.discarded)
    }
    prompt = TextLine()
    return typed
  }

  public mutating func giveBack() { end(.discarded) }

  /// The newline that the user typed, or did not need to, was not shown either.
  private mutating func end(_ rest: QuietTerminal.Rest) {
    guard isTaken else { return }
    if prompt.count > 0 { terminal.write("\r\n") }
    terminal.giveBack(rest)
  }

  private func clear() {
    guard prompt.count > 0 else { return }
    guard fitsOneRow else { return terminal.write("\r\n") }
    terminal.write("\r")
    blank(prompt.columns)
    terminal.write("\r")
  }

  private func blank(_ columns: Int) {
    var blanks = TextLine()
    while blanks.count < min(columns, TextLine.limit) { blanks.put(UInt8(ascii: " ")) }
    terminal.write(blanks.span)
  }
}
