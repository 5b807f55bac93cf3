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
  // A log that nobody reads must not hold up a finger.
  var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
  guard poll(&room, 1, 0) > 0 else { return }
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

/// Sends the messages of libusb through `log`, too; it writes to standard error by itself otherwise. It comes with libfprint, which
/// has it from gusb, and is not linked here: where it is not there, there is nothing to redirect.
func redirectUSBLog() {
  typealias Callback = @convention(c) (OpaquePointer?, Int32, UnsafePointer<CChar>?) -> Void
  typealias Setter = @convention(c) (OpaquePointer?, Callback, Int32) -> Void
  // RTLD_DEFAULT is a cast that Swift does not import: it is the null address.
  guard let symbol = dlsym(nil, "libusb_set_log_cb") else { return }
  let forAllContexts: Int32 = 1
  unsafeBitCast(symbol, to: Setter.self)(
    nil,
    { _, level, text in
      guard let text, let line = usbLog(level: level, String(cString: text)) else { return }
      log(line.level, "libusb", line.text)
    }, forAllContexts)
}

/// What is kept of a message of libusb: errors (1) and warnings (2). Not that it ignores the news of a device that neither came nor
/// went, which it calls an error: udev says so of every device whenever its rules are loaded.
func usbLog(level: Int32, _ text: String) -> (level: LogLevel, text: String)? {
  guard level == 1 || level == 2, !text.includes("ignoring udev action") else { return nil }
  return (level == 1 ? .error : .warning, text)
}
