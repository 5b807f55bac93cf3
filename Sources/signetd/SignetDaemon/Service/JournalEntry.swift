import SignetBytes

/// One entry of the log: as a datagram of the journal's native protocol (systemd's JOURNAL_NATIVE_PROTOCOL), and as a
/// line.
///
/// Values come from anybody: what is not harmless is replaced, so that none forges a field, a line, or what a reader of the
/// log sees.
package struct JournalEntry {
  /// syslog(3)'s levels, by number.
  package enum Level: Int32 {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// Names and values, in the order in which they are shown.
  package typealias Fields = [(name: String, value: String)]

  package var level: Level
  package var message: String
  /// Shown behind the message, and in the journal as `SIGNET_NAME`.
  package var fields: Fields
  /// `MESSAGE_ID`: 32 hexadecimal digits. Entries that have one are audit events, of facility authpriv.
  package var identifier: String?
  /// `OBJECT_PID`: journald, which may, adds the process's program, session and unit.
  package var process: Int32?

  package init(level: Level, message: String, fields: Fields = []) {
    self.level = level
    self.message = message
    self.fields = fields
  }

  /// syslog(3)'s `LOG_AUTHPRIV`.
  private static let facility = 10

  /// The line without its end.
  package var text: String {
    fields.reduce(JournalEntry.harmless(message)) { $0 + " \($1.name)=\(JournalEntry.quoted($1.value))" }
  }

  /// For standard error: sd-daemon(3)'s level, the program, and the text.
  package var line: [UInt8] { Array("<\(level.rawValue)>signetd: \(text)\n".utf8) }

  /// For the journal's socket.
  var datagram: [UInt8] {
    var bytes: [UInt8] = []
    JournalEntry.append("MESSAGE", text, to: &bytes)
    JournalEntry.append("PRIORITY", "\(level.rawValue)", to: &bytes)
    JournalEntry.append("SYSLOG_IDENTIFIER", "signetd", to: &bytes)
    if let identifier {
      JournalEntry.append("MESSAGE_ID", identifier, to: &bytes)
      JournalEntry.append("SYSLOG_FACILITY", "\(JournalEntry.facility)", to: &bytes)
    }
    if let process, process > 0 { JournalEntry.append("OBJECT_PID", "\(process)", to: &bytes) }
    for (name, value) in fields {
      JournalEntry.append("SIGNET_\(name.uppercased())", JournalEntry.harmless(value), to: &bytes)
    }
    return bytes
  }

  /// `NAME=value`, or where the value has a newline the binary form, in which it cannot end early.
  package static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += Array(name.utf8)
    if value.utf8.contains(10) {
      bytes.append(10)
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value.utf8.count >> (8 * shift))) }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += Array(value.utf8)
    bytes.append(10)
  }

  private static func quoted(_ value: String) -> String {
    let text = harmless(value)
    return text.contains(where: { $0 == " " || $0 == "=" }) || text.isEmpty ? "\"\(text)\"" : text
  }

  /// The text with `?` for each character that could forge or hide something, and for the quote, which would end a value.
  package static func harmless(_ text: String) -> String {
    ForeignText.harmless(text, replacement: "?", inQuotes: true)
  }
}
