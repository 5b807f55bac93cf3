// SignetLogind is the process that hears from logind that a session is locked, and tells signetd: what `signet lock` does
// then follows. It decides nothing, and may ask signetd for nothing else. Everything runs on the thread of the GLib loop.
//
// Compiled twice: normally, for the tests, and in Embedded Swift for the program.
import CGio

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBusProgram
#endif

/// The whole of signet-logind, with its command line. Returns 2 for a bad one, the status to exit with. Otherwise it does not end.
public func runLogind(_ words: [String]) -> Int32 {
  let arguments: BusArguments
  do throws(BusArguments.Refusal) {
    arguments = try BusArguments(parsing: words, bus: "unix:path=/run/dbus/system_bus_socket")
  } catch {
    log(.error, error.explanation)
    return 2
  }
  // No variable of the caller's names a bus, or a module for GIO to load.
  clearenv()
  setenv("GIO_MODULE_DIR", "/nonexistent", 1)
  SessionLocks(bus: arguments.bus, daemon: LockOrder(socket: arguments.socket)).run()
}
