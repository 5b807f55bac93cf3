/// The user's side while signetd works: signals held back and the terminal's keys, taken and given back in the order in
/// which a dying host leaves a whole terminal.
///
/// It stays so while a message is shown, which takes the host no time: given back for each message, what the user types at
/// that moment would show, and a Ctrl-C would end the host in between.
struct UserInput: ~Copyable {
  private var held = HeldSignals()
  private var enterKey = EnterKey()

  /// Whether the Enter key is watched.
  var isTerminalTaken: Bool { keys >= 0 }

  /// Without signals held back, a host that dies would leave the terminal without echo.
  mutating func takeTerminal() {
    if signals >= 0 { enterKey.watch() }
  }

  /// What the host gets for a passcode question, and in the end: its own terminal, then its own signals.
  mutating func giveBack() {
    enterKey.release()
    held.release()
  }

  mutating func holdSignals() { held.hold() }
}

extension UserInput: RequestHost {
  var signals: Int32 { held.descriptor }
  var keys: Int32 { enterKey.descriptor }

  func failure(_ error: ClientError) -> Failure { .client(error) }

  func signalEffect() -> HeldSignals.Effect { held.look() }

  /// Ctrl-Z: the host stops in here, until the shell continues it.
  mutating func suspend() {
    let wasTaken = isTerminalTaken
    giveBack()
    holdSignals()
    if wasTaken { takeTerminal() }
  }

  mutating func isEnterPressed(_ events: Int16) -> Bool { enterKey.isPressed(events) }
}
