import CLinux
import Glibc

/// Structured log lines, to the journal where standard error is connected to it, else to standard error. A field is a
/// name, a number or a reason; secrets have no place here and no type that could be passed.
enum Log {
  /// syslog(3)'s levels, by number.
  enum Level: Int32 {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// Names and values, in the order in which they are shown.
  typealias Fields = [(name: String, value: String)]

  /// One event: what happened, and its fields by name. Safe from any thread.
  static func write(_ level: Level, _ message: String, _ fields: Fields = []) {
    if isJournal, sendToJournal(level, message, fields) { return }
    var line = "<\(level.rawValue)>signetd: \(oneLine(message))"
    for (name, value) in fields { line += " \(name)=\(quoted(value))" }
    line += "\n"
    var bytes = Array(line.utf8)
    // One write(2) a line, so that lines of several threads do not mix.
    _ = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
  }

  /// systemd sets JOURNAL_STREAM to device and inode of the stream it connected (systemd.exec(5)).
  private static let isJournal: Bool = {
    guard let value = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(2, &status) == 0 else { return false }
    return unsafe String(cString: value) == "\(status.st_dev):\(status.st_ino)"
  }()

  private static let journal: Int32 = {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, unsafe clinux_connect_unix(descriptor, "/run/systemd/journal/socket") == 0 else { return -1 }
    return descriptor
  }()

  /// The journal's native protocol (systemd's JOURNAL_NATIVE_PROTOCOL): lines of `NAME=value`.
  private static func sendToJournal(_ level: Level, _ message: String, _ fields: Fields) -> Bool {
    var text = "MESSAGE=\(oneLine(message))"
    for (name, value) in fields { text += " \(name)=\(quoted(value))" }
    text += "\nPRIORITY=\(level.rawValue)\nSYSLOG_IDENTIFIER=signetd\n"
    for (name, value) in fields { text += "SIGNET_\(name.uppercased())=\(oneLine(value))\n" }
    var bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeMutableBytes {
      unsafe send(journal, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count
    }
  }

  private static func quoted(_ value: String) -> String {
    let line = oneLine(value)
    return line.contains(" ") || line.isEmpty ? "\"\(line)\"" : line
  }

  /// Control characters and quotes would let a name forge a line or a field.
  private static func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control || $0 == "\"" ? "?" : $0 }))
  }
}
