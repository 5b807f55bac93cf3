import CLinux
// For its JSON encoder: ArgumentParser links it anyway, so it costs no size or start-up time of its own.
import FoundationEssentials
import Glibc
import SignetBytes
import SignetClient
import SignetWords

/// Writing for people and for programs.
enum Report {
  /// One value as JSON, keys sorted, on a line of its own.
  static func json(_ value: some Encodable) throws(CommandFailure) { print(try text(of: value)) }

  /// The same as text, in which others' words are harmless and whole.
  static func text(of value: some Encodable) throws(CommandFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      throw CommandFailure(.refused, ObstacleText.noJSON)
    }
    return ForeignText.harmless(json: String(decoding: data, as: UTF8.self))
  }

  /// Rows under a heading, columns aligned, no wider than the terminal where there is one, and by the pager where it has fewer lines.
  static func table(_ heading: [String], _ rows: [[String]]) {
    let columns = isatty(STDOUT_FILENO) == 1 ? Int(clinux_window_columns(STDOUT_FILENO)) : 0
    Pager.show(lines(heading, rows, columns: columns > 0 ? columns : .max))
  }

  static func lines(_ heading: [String], _ rows: [[String]], columns: Int = .max) -> [String] {
    let all = [heading] + rows.map { $0.map(Printable.text) }
    let widths = fitting(heading.indices.map { column in all.map { $0[column] } }, columns)
    return all.flatMap { row in
      let cells = zip(row, widths).map { FittedText.cell($0, columns: $1) }
      return (0..<(cells.map(\.count).max() ?? 0)).map { line in
        let parts = cells.indices.map { line < cells[$0].count ? cells[$0][line].padded(to: widths[$0]) : blanks(widths[$0]) }
        return parts.joined(separator: "  ").trimmed
      }
    }
  }

  /// Widths of columns, the widest ones narrowed until all of them fit: first as far as that breaks no word.
  private static func fitting(_ cells: [[String]], _ columns: Int) -> [Int] {
    var widths = cells.map { $0.map(\.columns).max() ?? 0 }
    let words = cells.map { $0.flatMap { $0.split(separator: " ") }.map { String($0).columns }.max() ?? 0 }
    var excess = widths.reduce(2 * (widths.count - 1), +) - columns
    for least in [words, words.map { min($0, 8) }] {
      while excess > 0, let column = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] <= widths[$1] }) {
        widths[column] -= 1
        excess -= 1
      }
    }
    return widths
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// A line on standard output, which may have others' words in it.
  static func say(_ text: String) { print(Printable.text(text)) }

  /// The same on standard error.
  static func complain(_ text: String) { writeError(Printable.text(text) + "\n") }

  /// Several lines on standard error. Others' words in them have to be harmless before, or they would make lines of their own.
  static func complain(lines text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { complain(String(line)) }
  }

  /// A file of the user's own, for nobody else to read until they hand it on.
  static func save(_ text: String, to path: String) throws(CommandFailure) {
    let file = unsafe clinux_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    defer { if file >= 0 { close(file) } }
    var rest = Array(text.utf8)[...]
    while file >= 0, !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
      if count < 0 { break }
      rest = rest.dropFirst(count)
    }
    guard file >= 0, rest.isEmpty else { throw CommandFailure(.refused, SelftestText.unwritten(path, errno)) }
  }

  static func writeError(_ text: String) { _ = unsafe write(STDERR_FILENO, text, text.utf8.count) }
}

extension String {
  /// Without blanks at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }

  /// Followed by blanks up to a width in columns: letters of some languages take two.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}

/// Names that come from a USB device or another user, safe to show.
enum Printable {
  /// The text with U+FFFD for what is not harmless: an escape sequence in a reader's name must not drive the terminal.
  static func text(_ text: String) -> String { ForeignText.harmless(text) }
}

/// Moments as signetd sends them: seconds since 1970.
enum TimeText {
  /// RFC 3339 in UTC, for programs.
  static func utc(_ seconds: UInt64) -> String { unsafe format(seconds, "%Y-%m-%dT%H:%M:%SZ") { unsafe gmtime_r($0, $1) } }

  /// In the user's time zone, for people.
  static func local(_ seconds: UInt64) -> String { unsafe format(seconds, "%Y-%m-%d %H:%M") { unsafe localtime_r($0, $1) } }

  /// The same, to the second.
  static func localSeconds(_ seconds: UInt64) -> String {
    unsafe format(seconds, "%Y-%m-%d %H:%M:%S") { unsafe localtime_r($0, $1) }
  }

  private static func format(
    _ seconds: UInt64, _ form: String,
    _ split: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
  ) -> String {
    var moment = time_t(clamping: seconds)
    var parts = unsafe tm()
    guard unsafe split(&moment, &parts) != nil else { return "\(seconds)" }
    let text = unsafe [CChar](unsafeUninitializedCapacity: 64) { buffer, count in
      count = unsafe strftime(buffer.baseAddress, buffer.count, form, &parts)
    }
    return String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
