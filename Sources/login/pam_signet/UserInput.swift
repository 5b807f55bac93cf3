import CLinux

/// The user's side while signetd works: signals held back and the terminal's keys, taken and given back in the order in
/// which a dying host leaves a whole terminal.
///
/// It stays so while a message is shown, which takes the host no time: given back for each message, what the user types at
/// that moment would show, and a Ctrl-C would end the host in between.
struct UserInput: ~Copyable {
  private var held = HeldSignals(alarm: true)
  /// One of the three is used, as the form says.
  private var line = PasscodeLine()
  private var aside = PromptAside()
  private var enterKey = EnterKey()
  private var form: PromptForm?
  /// What the user has typed for the prompt that takes a finger, too, until it is sent.
  private var typed: SecretBytes?
  /// How that prompt ended.
  private(set) var ending = TypedLine.nothing
  /// Whether the user has stopped the host, and it has not stopped yet: it does so in its own prompt.
  private(set) var owesStop = false

  /// Whether the Enter key is watched, or a passcode can be typed.
  var isTerminalTaken: Bool { keys >= 0 }
  /// Whether the user is being asked by the module itself.
  var isLine: Bool { line.isTaken }
  /// Whether the module reads what is typed as a passcode; that it may is not yet said where nothing stands on the terminal.
  var isAsked: Bool { isLine || aside.descriptor >= 0 }
  /// Whether a prompt stands that takes the passcode.
  var hasPrompt: Bool { line.isAsking || aside.descriptor >= 0 }

  /// In which form the user will be asked; nothing is taken from the host for that yet.
  mutating func chooseForm(for transaction: borrowing Transaction) -> PromptForm {
    let chosen = PromptForm(for: transaction, on: &line)
    form = chosen
    return chosen
  }

  /// Without signals held back, a host that dies would leave the terminal without echo.
  mutating func takeTerminal() {
    guard signals >= 0, !owesStop, ending == .nothing || ending == .empty else { return }
    switch form {
    case .line: _ = line.take()
    case .host, .hostWithEnter: enterKey.watch()
    // Nothing is taken before there is something to ask.
    case .aside, nil: return
    }
  }

  /// The same for a passcode alone, where the module asks for it itself; elsewhere the terminal stays the host's.
  mutating func takeLine() { if form == .line { takeTerminal() } }

  /// The prompt takes the finger alone.
  mutating func askFingerOnly() {
    line.giveBack()
    aside.end()
    form = .host
  }

  mutating func ask(_ prompt: consuming TextLine) { line.ask(prompt) }

  /// Asks by the host's conversation, beside this process; false where that cannot be.
  mutating func askAside(_ prompt: borrowing TextLine, in transaction: borrowing Transaction) -> Bool {
    guard form == .aside, signals >= 0, ending == .nothing || ending == .empty else { return false }
    return aside.ask(prompt, in: transaction)
  }

  mutating func show(_ message: borrowing TextLine) { line.show(message) }

  /// Takes what poll(2) announced of the prompt; `ending` says what it was.
  mutating func readAnswer() { ending = isLine ? line.read(into: &typed) : aside.takeAnswer(into: &typed) }

  mutating func takeTyped() -> SecretBytes? { typed.take() }

  /// What the host gets for a passcode question, and in the end: its own terminal, then its own signals.
  mutating func giveBack() {
    aside.end()
    giveTerminalBack()
    held.release()
  }

  private mutating func giveTerminalBack() {
    line.giveBack()
    enterKey.release()
  }

  mutating func holdSignals() { held.hold() }

  /// Leaves it to the host to stop, from its own passcode prompt.
  mutating func leaveStopToHost() {
    guard held.take() == SIGTSTP else { return }
    owesStop = true
    form = .host
    giveTerminalBack()
  }

  /// Stops the host as soon as it asks, for as long as the value lives.
  mutating func stopInPrompt() -> LaterStop? {
    defer { owesStop = false }
    return owesStop ? LaterStop() : nil
  }

  /// Stops the host here and now, where it did not come to its prompt.
  mutating func stopNow() {
    guard owesStop else { return }
    owesStop = false
    _ = kill(getpid(), SIGTSTP)
  }
}

extension UserInput: RequestHost {
  var signals: Int32 { held.descriptor }
  var keys: Int32 {
    if isLine { return line.descriptor }
    return isAsked ? aside.descriptor : enterKey.descriptor
  }

  func failure(_ error: ClientError) -> Failure { .client(error) }

  func signalEffect() -> HeldSignals.Effect { held.look() }

  /// Ctrl-Z: the host stops in here, until the shell continues it.
  mutating func suspend() {
    let (wasLine, wasWatched) = (isLine, enterKey.descriptor >= 0)
    // What is asked aside goes on being asked: it is not on this terminal.
    giveTerminalBack()
    held.release()
    holdSignals()
    if wasLine { line.takeAgain() }
    if wasWatched, signals >= 0 { enterKey.watch() }
  }

  mutating func isEnterPressed(_ events: Int16) -> Bool {
    guard isAsked else { return enterKey.isPressed(events) }
    readAnswer()
    return ending != .nothing
  }
}
