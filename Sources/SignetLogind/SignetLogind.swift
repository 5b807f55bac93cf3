// SignetLogind is the process that hears from logind that a session is locked, and tells signetd: what `signet lock` does
// then follows. It decides nothing, and may ask signetd for nothing else. Everything runs on the thread of the GLib loop.
import CGio
import Glibc
import SignetConfiguration

/// The whole of signet-logind, with its command line. Returns the status to exit with: of `--if-configured`, 0 where
/// sessions are to be listened to, 1 where not, 255 where the configuration is unusable (as `ExecCondition=` of
/// systemd.service(5) has it); 2 for a bad command line. Otherwise it does not end.
public func runLogind(_ words: [String]) -> Int32 {
  let arguments: LogindArguments
  do {
    arguments = try LogindArguments(parsing: words)
  } catch {
    log(.error, error.explanation)
    return 2
  }
  if let path = arguments.configuration { return isConfigured(path) }
  // No variable of the caller's names a bus, or a module for GIO to load.
  clearenv()
  setenv("GIO_MODULE_DIR", "/nonexistent", 1)
  SessionLocks(bus: arguments.bus, daemon: LockOrder(socket: arguments.socket)).run()
}

private func isConfigured(_ path: String) -> Int32 {
  do {
    return try ConfigurationFile(path: path, isOptional: true).configuration.locksWithSession ? 0 : 1
  } catch {
    for line in error.lines { log(.error, line) }
    return 255
  }
}

/// The command line: `[--bus ADDRESS] [--socket PATH]`, or `--if-configured FILE`.
struct LogindArguments: Equatable {
  var bus = "unix:path=/run/dbus/system_bus_socket"
  var socket = "/run/signet/socket"
  /// Say only whether this file wants sessions to be listened to.
  var configuration: String?

  struct Refusal: Error { var explanation: String }

  init(parsing words: [String]) throws(Refusal) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst(), !value.isEmpty else { throw Refusal(explanation: "\(word) needs a value") }
      switch word {
      case "--bus": bus = value
      case "--socket": socket = value
      case "--if-configured": configuration = value
      default: throw Refusal(explanation: "unknown argument \(word)")
      }
    }
  }
}
