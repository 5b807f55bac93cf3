// SignetHid is the process that has /dev/uhid, and nothing else: it makes a FIDO device for whoever sits at the seat, and passes reports
// between that device and the user's own signet-passkey. Whoever has /dev/uhid can make a keyboard, so no user's process has. What a report
// says is not read here, and nothing is decided but who has the device, and for how long. Everything runs on one thread.
//
// Compiled twice: normally, for the tests, and in Embedded Swift for the program.
import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBusProgram
#endif

/// The whole of signet-hid, with its command line. Returns the status to exit with: 2 for a bad command line, 1 without a bus or a socket,
/// and 0 where nobody was connected for a while.
public func runHid(_ words: [String]) -> Int32 {
  let arguments: BusArguments
  do throws(BusArguments.Refusal) {
    arguments = try BusArguments(
      parsing: words, bus: "unix:path=/run/dbus/system_bus_socket", socket: "/run/signet-hid/socket", idleExit: 30,
      device: "/dev/uhid")
  } catch {
    log(.error, error.explanation)
    return 2
  }
  guard let listener = HidSocket.passed() ?? HidSocket.open(at: arguments.socket) else {
    log(.error, "nobody can be heard at \(arguments.socket): \(reason(clinux_errno()))")
    return 1
  }
  // No variable of the caller's changes what sd-bus does.
  clearenv()
  return HidService.run(arguments, listener: listener)
}

func log(_ level: LogLevel, _ text: String) { BusLog.put("signet-hid", level, text) }

/// The C library's words for an errno.
func reason(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

/// Since boot without the time asleep, in milliseconds.
func milliseconds() -> Int64 {
  var now = timespec()
  guard clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
  return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
}
