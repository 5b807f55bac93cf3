import CLinux

#if !hasFeature(Embedded)
  import Glibc
  import SignetBytes
#endif

/// Severity, as in syslog(3), which journald reads from `<N>` in front of a line.
enum LogLevel: Int {
  case error = 3, warning = 4, notice = 5, info = 6
}

/// Writes one line to standard error.
func log(_ level: LogLevel, _ text: String) {
  var bytes = Array(line(level, text).utf8)
  _ = bytes.withUnsafeMutableBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// What others named must make neither a second line, nor an endless one.
func line(_ level: LogLevel, _ text: String) -> String {
  "<\(level.rawValue)>signet-logind: \(ForeignText.harmless(String(text.unicodeScalars.prefix(400)), replacement: "?"))\n"
}
