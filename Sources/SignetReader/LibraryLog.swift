import CFprint
import CLinux
import Glibc
import SignetBytes

/// Severity, as in syslog(3), which journald reads from `<N>` in front of a line.
enum LogLevel: Int {
  case error = 3, warning = 4, notice = 5
  var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    }
  }
}

/// Writes one line to standard error: `signet-reader: level=… source=… text="…"`. Never call it with template bytes.
func log(_ level: LogLevel, _ source: String, _ text: String) {
  let line = "signet-reader: level=\(level.name) source=\(source) text=\"\(singleLine(text))\"\n"
  var bytes = Array(line.utf8)
  _ = bytes.withUnsafeMutableBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Text from a driver or a USB device, as one harmless line of limited length, without the quote that would end it in a log.
func singleLine(_ text: String) -> String {
  ForeignText.harmless(String(text.unicodeScalars.prefix(400)), replacement: " ", inQuotes: true)
}

/// Sends the messages of GLib and libfprint through `log`. Debug messages are dropped.
func redirectLibraryLog() {
  g_log_set_writer_func(
    { level, fields, count, _ in
      guard let fields, level.rawValue & libraryLogLevels != 0 else { return G_LOG_WRITER_HANDLED }
      var text = "", domain = "glib"
      for field in UnsafeBufferPointer(start: fields, count: Int(count)) {
        guard let value = field.value, field.length < 0 else { continue }
        let string = String(cString: value.assumingMemoryBound(to: CChar.self))
        switch String(cString: field.key) {
        case "MESSAGE": text = string
        case "GLIB_DOMAIN": domain = string
        default: break
        }
      }
      let isError = level.rawValue & (G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue) != 0
      log(isError ? .error : .warning, domain, text)
      return G_LOG_WRITER_HANDLED
    }, nil, nil)
}

private let libraryLogLevels =
  G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue
