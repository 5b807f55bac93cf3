/// The user's side while signetd works: signals held back and the terminal's keys, taken and given back in the order in
/// which a dying host leaves a whole terminal.
///
/// It stays so while a message is shown, which takes the host no time: given back for each message, what the user types at
/// that moment would show, and a Ctrl-C would end the host in between.
struct UserInput: ~Copyable {
  private var held = HeldSignals(alarm: true)
  /// One of the two is used, as the form says.
  private var line = PasscodeLine()
  private var enterKey = EnterKey()
  private var form: PromptForm?
  /// What the user has typed on the line, until it is sent.
  private var typed: SecretBytes?
  /// How the line ended.
  private(set) var ending = TypedLine.nothing

  /// Whether the Enter key is watched, or a passcode can be typed.
  var isTerminalTaken: Bool { keys >= 0 }
  /// Whether the user is being asked by the module itself.
  var isLine: Bool { line.isTaken }

  /// Without signals held back, a host that dies would leave the terminal without echo.
  mutating func takeTerminal(of transaction: borrowing Transaction) {
    guard signals >= 0, ending == .nothing || ending == .empty else { return }
    if form == nil { form = PromptForm(for: transaction, on: &line) }
    if form == .line { _ = line.take() } else { enterKey.watch() }
  }

  /// The prompt takes the finger alone.
  mutating func leaveLine() {
    line.giveBack()
    form = .host
  }

  mutating func ask(_ prompt: consuming TextLine) { line.ask(prompt) }
  mutating func show(_ message: borrowing TextLine) { line.show(message) }

  /// Takes what poll(2) announced of the line; `ending` says what it was.
  mutating func readLine() { ending = line.read(into: &typed) }

  mutating func takeTyped() -> SecretBytes? { typed.take() }

  /// What the host gets for a passcode question, and in the end: its own terminal, then its own signals.
  mutating func giveBack() {
    line.giveBack()
    enterKey.release()
    held.release()
  }

  mutating func holdSignals() { held.hold() }
}

extension UserInput: RequestHost {
  var signals: Int32 { held.descriptor }
  var keys: Int32 { isLine ? line.descriptor : enterKey.descriptor }

  func failure(_ error: ClientError) -> Failure { .client(error) }

  func signalEffect() -> HeldSignals.Effect { held.look() }

  /// Ctrl-Z: the host stops in here, until the shell continues it.
  mutating func suspend() {
    let (wasLine, wasWatched) = (isLine, enterKey.descriptor >= 0)
    giveBack()
    holdSignals()
    if wasLine { line.takeAgain() }
    if wasWatched, signals >= 0 { enterKey.watch() }
  }

  mutating func isEnterPressed(_ events: Int16) -> Bool {
    guard isLine else { return enterKey.isPressed(events) }
    readLine()
    return ending != .nothing
  }
}
