// SignetLogind is the process that hears from logind that a session is locked, and tells signetd: what `signet lock` does
// then follows. It decides nothing, and may ask signetd for nothing else. Everything runs on the thread of the GLib loop.
//
// Compiled twice: normally, for the tests, and in Embedded Swift for the program.
import CGio

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// The whole of signet-logind, with its command line. Returns 2 for a bad one, the status to exit with. Otherwise it does not end.
public func runLogind(_ words: [String]) -> Int32 {
  let arguments: LogindArguments
  do throws(LogindArguments.Refusal) {
    arguments = try LogindArguments(parsing: words)
  } catch {
    log(.error, error.explanation)
    return 2
  }
  // No variable of the caller's names a bus, or a module for GIO to load.
  clearenv()
  setenv("GIO_MODULE_DIR", "/nonexistent", 1)
  SessionLocks(bus: arguments.bus, daemon: LockOrder(socket: arguments.socket)).run()
}

/// The command line: `[--bus ADDRESS] [--socket PATH]`.
struct LogindArguments: Equatable {
  var bus = "unix:path=/run/dbus/system_bus_socket"
  var socket = "/run/signet/socket"

  struct Refusal: Error { var explanation: String }

  init(parsing words: [String]) throws(Refusal) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst(), !value.isEmpty else { throw Refusal(explanation: "\(word) needs a value") }
      switch word {
      case "--bus": bus = value
      case "--socket": socket = value
      default: throw Refusal(explanation: "unknown argument \(word)")
      }
    }
  }
}
