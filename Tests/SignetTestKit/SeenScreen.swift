import Glibc

/// What somebody sees of a program on a terminal: tmux's, which wraps, scrolls, and breaks lines anew when its size changes, as the
/// terminals of desktops do.
public final class SeenScreen {
  private let folder: TemporaryFolder

  /// Starts the program.
  public init(_ words: [String], columns: Int, lines: Int = 12) throws {
    folder = try TemporaryFolder()
    // Nothing of tmux's own is on the screen.
    try RawFile.create(folder.path + "/settings", Array("set -g status off\n".utf8))
    // The terminal stays in use when the program has ended: tmux looks once whether there is more to read from one that is not, and a busy
    // kernel may not have brought it yet.
    // And this shell when a key interrupts the program.
    let line = #"trap : INT; "$@"; read -r nothing"#
    try tmux(["new-session", "-d", "-x", "\(columns)", "-y", "\(lines)", "--", "sh", "-c", line, "sh"] + words)
  }

  deinit { _ = try? tmux(["kill-server"]) }

  /// Makes the terminal as wide as this.
  public func resize(columns: Int) throws { try tmux(["resize-window", "-x", "\(columns)"]) }

  /// The rows with something in them, and those between.
  public func rows() throws -> [String] {
    let text = try tmux(["capture-pane", "-p"])
    var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while rows.last == "" { rows.removeLast() }
    return rows
  }

  /// Waits until the screen looks so; says how it looks else.
  ///
  /// - Parameter seenRow: what a row is compared as.
  public func awaitRows(_ expected: [String], _ seenRow: (String) -> String = { $0 }) throws {
    var seen: [String] = []
    try wait(for: "\(expected), and not \(seen),") {
      seen = try rows().map(seenRow)
      return seen == expected
    }
  }

  /// Waits until the last row ends with one of these.
  public func awaitEnd(of ends: [String]) throws {
    var seen: [String] = []
    try wait(for: "one of \(ends) below \(seen)") {
      seen = try rows()
      return ends.contains { seen.last?.hasSuffix($0) ?? false }
    }
  }

  /// Presses a key, as tmux calls it.
  public func press(_ key: String) throws { try tmux(["send-keys", key]) }

  @discardableResult private func tmux(_ words: [String]) throws -> String {
    let own = ["tmux", "-u", "-S", folder.path + "/tmux", "-f", folder.path + "/settings"]
    return try Program.output(own + words, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"])
  }
}
