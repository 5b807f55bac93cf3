import Glibc
import SignetClient
import SignetLanguage

/// What happens while the user waits, on standard error: what is redrawn in its place on a terminal, else a line for each change.
struct ProgressLine {
  /// The rows on the screen; none before the first and after `end`.
  private var rows: [String] = []
  private var last = ""

  /// Whether the user sees it as it changes.
  let isOnTerminal = isatty(STDERR_FILENO) == 1

  /// Shows a text, and behind it what to do; below it where both do not fit into one row, and in as many rows as it takes: what is cut
  /// off is what the user needs.
  mutating func show(_ text: String, advice: String = "") {
    let line = advice.isEmpty ? text : "\(text)  \(advice)"
    guard line != last else { return }
    last = line
    guard isOnTerminal else { return Report.complain(line) }
    let columns = ProgressLine.columns
    let back = ProgressLine.clear(rows, columns: columns)
    rows = ProgressLine.rows(text, advice, columns: columns)
    Report.writeError(back + rows.joined(separator: "\r\n"))
  }

  /// Leaves the rows, so that what follows starts on a new one.
  mutating func end() {
    if !rows.isEmpty { Report.writeError("\n") }
    rows = []
    last = ""
  }

  /// Asked each time: a window may have changed since.
  private static var columns: Int { Report.width(of: STDERR_FILENO) ?? 80 }

  static func rows(_ text: String, _ advice: String, columns: Int) -> [String] {
    // One column stays free: a full row would wrap, and what a terminal makes of that differs.
    let room = columns - 1
    let line = advice.isEmpty ? text : "\(text)  \(advice)"
    if line.columns <= room { return [line] }
    return [text, advice].filter { !$0.isEmpty }
      .flatMap { FittedText.broken($0, columns: room).split(separator: "\n").map(String.init) }
  }

  /// Back to where the rows begin, and nothing is left of them. A terminal that became narrower has broken those that do not fit any more.
  static func clear(_ rows: [String], columns: Int) -> String {
    let height = rows.reduce(0) { $0 + max(1, ($1.columns + columns - 1) / columns) }
    return "\r" + (height > 1 ? "\u{1B}[\(height - 1)A" : "") + "\u{1B}[J"
  }

  /// `[#####-----] 2 of 4`.
  static func stages(completed: Int, of all: Int) -> String {
    let width = 20
    let filled = all > 0 ? min(width, max(0, completed) * width / all) : 0
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "[\(bar)] " + say("\(completed) of \(all)")
  }
}
