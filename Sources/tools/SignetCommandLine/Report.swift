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

  /// Rows under a heading, columns aligned, or each row below itself where the terminal is too narrow; by the pager where it has fewer lines.
  static func table(_ heading: [String], _ rows: [[String]]) {
    Pager.show(lines(heading, rows, columns: width(of: STDOUT_FILENO) ?? .max))
  }

  static func lines(_ heading: [String], _ rows: [[String]], columns: Int = .max) -> [String] {
    let rows = rows.map { $0.map(Printable.text) }
    let all = [heading] + rows
    guard let widths = fitting(heading.indices.map { column in all.map { $0[column] } }, columns) else {
      return Array(rows.map { paragraph(heading, $0, columns) }.joined(separator: [""]))
    }
    return all.flatMap { row in
      let cells = zip(row, widths).map { FittedText.cell($0, columns: $1) }
      return (0..<(cells.map(\.count).max() ?? 0)).map { line in
        let parts = cells.indices.map { line < cells[$0].count ? cells[$0][line].padded(to: widths[$0]) : blanks(widths[$0]) }
        return parts.joined(separator: "  ").trimmed
      }
    }
  }

  /// A row below itself, as one of a table that is too wide; what is empty is left out.
  private static func paragraph(_ heading: [String], _ row: [String], _ columns: Int) -> [String] {
    let label = (heading.map(\.columns).max() ?? 0) + 2
    return zip(heading, row).filter { !$1.isEmpty }.flatMap { title, text in
      FittedText.cell(text, columns: max(columns - label, 8)).enumerated().map { ($0 == 0 ? title : "").padded(to: label) + $1 }
    }
  }

  /// Widths of columns, the widest ones narrowed until all of them fit; `nil` where that would break words, other than long paths.
  private static func fitting(_ cells: [[String]], _ columns: Int) -> [Int]? {
    var widths = cells.map { $0.map(\.columns).max() ?? 0 }
    let words = cells.map { $0.flatMap { $0.split(separator: " ") }.map { min(String($0).columns, 30) }.max() ?? 0 }
    var excess = widths.reduce(2 * (widths.count - 1), +) - columns
    while excess > 0, let column = widths.indices.filter({ widths[$0] > words[$0] }).max(by: { widths[$0] <= widths[$1] }) {
      widths[column] -= 1
      excess -= 1
    }
    return excess > 0 ? nil : widths
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// A line on standard output, which may have others' words in it.
  static func say(_ text: String) { print(broken(Printable.text(text), for: STDOUT_FILENO)) }

  /// The same behind a label.
  static func say(_ label: String, _ text: String) {
    let (text, columns) = (Printable.text(text), width(of: STDOUT_FILENO))
    print(columns.map { FittedText.labelled(label, text, columns: $0) } ?? label + text)
  }

  /// A line of a configuration; each row of its comment is one.
  static func configuration(_ line: String) {
    for row in configuration(Printable.text(line), columns: width(of: STDOUT_FILENO) ?? .max) { print(row) }
  }

  static func configuration(_ line: String, columns: Int) -> [String] {
    guard line.columns > columns, let mark = line.firstRange(of: "# ") else { return [line] }
    let setting = String(line[..<mark.lowerBound])
    let isBeside = setting.columns < columns / 2
    let margin = isBeside ? setting.columns : 4
    let comment = FittedText.cell(String(line[mark.upperBound...]), columns: max(columns - margin - 2, 8))
    let rows = comment.enumerated().map { ($0 == 0 && isBeside ? setting : blanks(margin)) + "# " + $1 }
    return (isBeside ? [] : [setting.trimmed]) + rows
  }

  /// A line on standard error.
  static func complain(_ text: String) { writeError(broken(Printable.text(text), for: STDERR_FILENO) + "\n") }

  /// As it is shown on a terminal: by itself that breaks within words.
  static func broken(_ text: String, for descriptor: Int32) -> String {
    width(of: descriptor).map { FittedText.broken(text, columns: $0) } ?? text
  }

  /// In columns; `nil` of what is no terminal, or one without a size.
  static func width(of descriptor: Int32) -> Int? {
    let columns = Int(clinux_window_columns(descriptor))
    return columns > 0 ? columns : nil
  }

  /// Several lines on standard error. Others' words in them have to be harmless before, or they would make lines of their own.
  static func complain(lines text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { complain(String(line)) }
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
