/// The user's side while a finger is waited for: signals held back and the terminal's keys, taken and given back in the
/// order in which a dying host leaves a whole terminal.
struct Attention: ~Copyable {
  var interruption = Interruption()
  var terminal = Terminal()

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
    if wasTaken { terminal.take() }
  }
}
