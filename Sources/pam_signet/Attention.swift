/// The user's side while a finger is waited for: signals held back and the terminal's keys, taken and given back in the
/// order in which a dying host leaves a whole terminal.
///
/// It stays so while a message is shown, which takes the host no time: given back for each message, what the user types at
/// that moment would show, and a Ctrl-C would end the host in between.
struct Attention: ~Copyable {
  var interruption = Interruption()
  var terminal = Terminal()

  /// Without signals held back, a host that dies would leave the terminal without echo.
  mutating func takeTerminal() {
    if interruption.watched >= 0 { terminal.take() }
  }

  /// What the host gets for a passcode question: its own terminal, then its own signals.
  mutating func yield() {
    terminal.restore()
    interruption.release()
  }

  mutating func resume() { interruption.hold() }

  /// Ctrl-Z: the host stops in here, until the shell continues it.
  mutating func stop() {
    let wasTaken = terminal.watched >= 0
    yield()
    resume()
    if wasTaken { takeTerminal() }
  }
}
