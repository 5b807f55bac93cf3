import Glibc

/// A long text, a screen at a time, as git(1) and systemctl(1) show theirs: by the program in PAGER, or less(1).
enum Pager {
  /// Writes the lines to standard output; by the pager where that is a terminal with fewer lines.
  static func show(_ lines: [String]) {
    guard lines.count >= height, let command = command(environment: environment) else { return lines.forEach { print($0) } }
    fflush(nil)
    prepareEnvironment()
    guard let pipe = unsafe popen(command, "we") else { return lines.forEach { print($0) } }
    // Ctrl-C is the pager's, which leaves the terminal in order; and whoever has seen enough ends it before all is written.
    let handlers = [SIGINT, SIGPIPE].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, handler) in handlers { signal(number, handler) } }
    for line in lines where unsafe fputs(line + "\n", pipe) < 0 { break }
    // As sh(1) says that there is no such program; less than the text is never shown.
    if unsafe pclose(pipe) >> 8 & 0xFF == 127 { lines.forEach { print($0) } }
  }

  /// Lines of the terminal; more than any text has where standard output is none.
  private static var height: Int {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return .max
    }
    return Int(size.ws_row)
  }

  private static func environment(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

  /// What sh(1) runs; `nil` where the user wants none. With another user's rights, as in a `sudo signet`, the user chooses none, and
  /// less(1) starts no program: who may look as root may not do all as root.
  static func command(isPrivileged: Bool = isPrivileged, environment: (String) -> String?) -> String? {
    guard !isPrivileged, let wanted = environment("PAGER") else { return unsafe access(less, X_OK) == 0 ? less : nil }
    return wanted.isEmpty || wanted == "cat" ? nil : wanted
  }

  static let less = "/usr/bin/less"

  private static var isPrivileged: Bool { geteuid() == 0 || geteuid() != getuid() }

  /// What less(1) reads of its environment: it leaves a text that fits on the screen, and colours, as they are.
  private static func prepareEnvironment() {
    _ = unsafe setenv("LESS", "FRX", isPrivileged ? 1 : 0)
    guard isPrivileged else { return }
    _ = unsafe setenv("LESSSECURE", "1", 1)
    for name in ["LESSOPEN", "LESSCLOSE"] { _ = unsafe unsetenv(name) }
  }
}
