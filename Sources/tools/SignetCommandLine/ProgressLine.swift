import CLinux
import Glibc
import SignetClient
import SignetLanguage

/// What happens while the user waits, on standard error: one line that is redrawn on a terminal, else a line for each
/// change.
struct ProgressLine {
  private let columns: Int?
  private var isOpen = false
  private var last = ""

  /// Whether the user sees it as it changes.
  var isOnTerminal: Bool { columns != nil }

  init() {
    let width = Int(clinux_window_columns(STDERR_FILENO))
    columns = isatty(STDERR_FILENO) == 1 ? (width > 0 ? width : 80) : nil
  }

  mutating func show(_ text: String) {
    guard text != last else { return }
    last = text
    guard let columns else { return Report.complain(text) }
    // One column stays free: a full line would wrap and could not be redrawn.
    Report.writeError("\r\u{1B}[K" + ProgressLine.fit(text, columns: columns - 1))
    isOpen = true
  }

  /// Leaves the line, so that what follows starts on a new one.
  mutating func end() {
    if isOpen { Report.writeError("\n") }
    isOpen = false
    last = ""
  }

  static func fit(_ text: String, columns: Int) -> String {
    text.columns <= columns ? text : text.prefix(columns: max(0, columns - 3)) + "..."
  }

  /// `[#####-----] 2 of 4`, with what to do next behind it.
  static func stages(completed: Int, of all: Int, advice: String) -> String {
    let width = 20
    let filled = all > 0 ? min(width, max(0, completed) * width / all) : 0
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "[\(bar)] " + say("\(completed) of \(all)") + (advice.isEmpty ? "" : "  " + advice)
  }
}
