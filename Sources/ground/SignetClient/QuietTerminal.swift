import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
#endif

/// The controlling terminal with its echo off: what is typed on it can be read and is not shown.
///
/// Without a terminal, or in the background, every call does nothing. Signals must be held back meanwhile (`HeldSignals`): a
/// process that dies here would leave the terminal without echo. Whoever takes it gives it back in the end.
public struct QuietTerminal: ~Copyable {
  private var terminal: Int32 = -1
  private var saved = termios()
  /// What this process has set; another one of its job, a pager behind a pipe, may set something else meanwhile.
  private var quiet = termios()
  private var isTaken = false
  private var wasTried = false
  private var group: pid_t = 0

  /// How long somebody who types may pause in the middle of a line, in milliseconds.
  private static var typingPause: Int32 { 250 }

  public init() {}

  /// For poll(2); -1 where it is not taken.
  public var descriptor: Int32 { isTaken ? terminal : -1 }

  /// Whether the terminal hands out whole lines (`ICANON` of termios(3)), which the user can edit before.
  public var hasWholeLines: Bool { quiet.c_lflag & flag(ICANON) != 0 }

  /// Switches the echo off. What was typed before is thrown away, as any program does that asks for a password. Whether it is
  /// taken now.
  ///
  /// - Parameters:
  ///   - asWholeLines: whether lines, and the keys that interrupt, are wanted even where they were off.
  ///   - linesEndAtEscape: whether Esc ends a line, too.
  public mutating func take(asWholeLines: Bool = false, linesEndAtEscape: Bool = false) -> Bool {
    if isTaken { return true }
    guard open(), isInForeground, unsafe tcgetattr(terminal, &saved) == 0 else { return false }
    quiet = saved
    quiet.c_lflag &= ~flag(ECHO | ECHONL)
    if asWholeLines {
      quiet.c_lflag |= flag(ICANON | ISIG)
      quiet.c_iflag |= flag(ICRNL)
    }
    if linesEndAtEscape { unsafe withUnsafeMutableBytes(of: &quiet.c_cc) { unsafe $0[Int(VEOL)] = 27 } }
    _ = tcflush(terminal, TCIFLUSH)
    isTaken = set(quiet)
    return isTaken
  }

  /// What becomes of what was typed and not read.
  public enum Rest: Sendable {
    /// It is for whoever reads next.
    case kept
    /// It is thrown away, and so is the rest of a line that is being typed: it may be a passcode, and reaches neither a prompt nor the
    /// shell.
    case discarded
    /// The same, and more may be about to come, lines too: until nothing does.
    case awaited
  }

  /// Switches the echo back, unless another program has the terminal by now.
  public mutating func giveBack(_ rest: Rest = .discarded) {
    guard isTaken else { return }
    isTaken = false
    // The rest of its job may end or stop at any moment. Then the shell has the terminal, as this process had set it, and a change from
    // the background must neither fail nor stop this process.
    withoutStops { terminal in
      // Another program, such as the shell, may have put its own settings there.
      if rest != .kept, terminal.isStillOurs, terminal.isInForeground { terminal.discard(rest) }
      if terminal.isStillOurs { _ = terminal.set(terminal.saved) }
    }
  }

  /// Nobody's any more: it was closed, or this process was sent to the background.
  public mutating func lose() { isTaken = false }

  /// In columns; not positive where nobody knows.
  public var width: Int { Int(clinux_window_columns(terminal)) }

  /// Writes a text.
  public func write(_ text: Span<UInt8>) { TypedLine.show(text, on: terminal) }

  // Inlined, so that the compiler sees the literal (`TextLine.put`).
  @inline(__always)
  public func write(_ text: StaticString) { write(TextLine(text).span) }

  /// Stops in the background, as every program does that asks there (`SIGTTOU` of termios(3)), until it is brought back.
  public mutating func awaitForeground() {
    guard open(), !isInForeground else { return }
    var modes = termios()
    if unsafe tcgetattr(terminal, &modes) == 0 { _ = unsafe tcsetattr(terminal, TCSANOW, &modes) }
  }

  /// Whether this process may read from it: it may have been sent to the background, and the terminal is nobody's to give back then.
  public mutating func isReadable() -> Bool {
    if isTaken, !isInForeground { isTaken = false }
    return isTaken
  }

  /// Whether this process has a controlling terminal at all.
  public var exists: Bool { mutating get { open() } }
  /// Whether a path, or a descriptor, is this very terminal.
  public mutating func isAt(_ path: UnsafePointer<CChar>) -> Bool { unsafe open() && clinux_is_terminal_at(terminal, path) == 1 }
  public mutating func isOf(_ descriptor: Int32) -> Bool { open() && clinux_is_terminal_of(terminal, descriptor) == 1 }

  private mutating func discard(_ rest: Rest) {
    awaitEnd(of: rest)
    // By now the shell may have it, and what is typed is the shell's.
    if isInForeground { _ = tcflush(terminal, TCIFLUSH) }
  }

  /// Somebody who has begun to type does not see at once that a finger came first, and types on: to the end of the line, or, where more
  /// may come, until nothing does.
  private mutating func awaitEnd(of rest: Rest) {
    var keys = quiet
    keys.c_lflag &= ~flag(ICANON)
    // Only key by key does the terminal tell of a line that has no end yet.
    guard set(keys) else { return }
    var junk = InlineArray<256, UInt8>(repeating: 0)
    var span = junk.mutableSpan
    let endsWithLine = rest != .awaited
    var hasEnded = endsWithLine && clinux_typed(terminal) <= 0
    var rounds = 0
    // Somebody who never stops must not hold the login, whose signals are held back here.
    while !hasEnded, rounds < 64 {
      rounds &+= 1
      let count = unsafe span.withUnsafeMutableBytes { unsafe read(terminal, $0.baseAddress, $0.count) }
      var index = 0
      while index < min(count, 256) {
        if span[index] == 10 || span[index] == 13 { hasEnded = endsWithLine }
        index &+= 1
      }
      unsafe span.withUnsafeMutableBytes { if let start = $0.baseAddress { unsafe explicit_bzero(start, $0.count) } }
      var watched = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      if hasEnded || count == 0 { return }
      if unsafe poll(&watched, 1, QuietTerminal.typingPause) <= 0 { return }
    }
  }

  private var isStillOurs: Bool {
    var now = termios()
    return unsafe tcgetattr(terminal, &now) == 0 && now.c_lflag == quiet.c_lflag && now.c_iflag == quiet.c_iflag
  }

  /// Not TCSAFLUSH, which waits for the output to drain: a stopped terminal would hold the login.
  private mutating func set(_ modes: termios) -> Bool {
    var modes = modes
    guard unsafe tcsetattr(terminal, TCSANOW, &modes) == 0 else { return false }
    // As the terminal took it: it may not know all of it.
    return unsafe tcgetattr(terminal, &quiet) == 0
  }

  /// With the signals held back that a process in the background gets for its terminal (`SIGTTIN` and `SIGTTOU` of termios(3)).
  private mutating func withoutStops(_ body: (inout QuietTerminal) -> Void) {
    var stops = sigset_t()
    var mask = sigset_t()
    _ = unsafe sigemptyset(&stops)
    _ = unsafe sigaddset(&stops, SIGTTIN)
    _ = unsafe sigaddset(&stops, SIGTTOU)
    guard unsafe pthread_sigmask(SIG_BLOCK, &stops, &mask) == 0 else { return }
    body(&self)
    _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  private mutating func open() -> Bool {
    guard !wasTried else { return terminal >= 0 }
    wasTried = true
    let path: StaticString = "/dev/tty"
    terminal = unsafe clinux_open(
      UnsafeRawPointer(path.utf8Start).assumingMemoryBound(to: CChar.self), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0)
    group = getpgrp()
    return terminal >= 0
  }

  private var isInForeground: Bool { tcgetpgrp(terminal) == group }

  deinit { if terminal >= 0 { _ = close(terminal) } }
}

private func flag(_ bits: Int32) -> tcflag_t { tcflag_t(truncatingIfNeeded: bits) }
