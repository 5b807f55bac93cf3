import CLinux

#if !hasFeature(Embedded)
  import Glibc
  import SignetBytes
#endif

/// Severity, as in syslog(3), which journald reads from `<N>` in front of a line.
enum LogLevel: Int {
  case error = 3, warning = 4, info = 6
}

/// Writes one line to standard error. What others named must make neither a second line, nor an endless one.
func log(_ level: LogLevel, _ text: String) {
  let harmless = ForeignText.harmless(String(text.unicodeScalars.prefix(400)), replacement: "?")
  var bytes = Array("<\(level.rawValue)>signet-fprint: \(harmless)\n".utf8)
  _ = bytes.withUnsafeMutableBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
