import Glibc

/// Severity, as in syslog(3), which journald reads from `<N>` in front of a line.
enum LogLevel: Int {
  case error = 3, warning = 4, notice = 5, info = 6
}

/// Writes one line to standard error.
func log(_ level: LogLevel, _ text: String) {
  // What others named must not make a second line, or an endless one.
  let printable = text.unicodeScalars.prefix(400).map { $0.properties.generalCategory == .control ? "?" : $0 }
  let line = "<\(level.rawValue)>signet-logind: \(String(String.UnicodeScalarView(printable)))\n"
  var bytes = Array(line.utf8)
  _ = bytes.withUnsafeMutableBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
