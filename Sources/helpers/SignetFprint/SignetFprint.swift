// SignetFprint is the process that answers to fprintd's name on the system bus, net.reactivated.Fprint, for programs that know
// fprintd. It decides nothing: signetd asks the kernel about whoever sent a message, and answers as if they had asked themselves. What
// is decided here is whose turn it is at a device, which lasts from Claim to Release. Everything runs on one thread.
//
// Compiled twice: normally, for the tests, and in Embedded Swift for the program.
import CBus

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBusProgram
#endif

/// The whole of signet-fprint, with its command line. Returns the status to exit with: 2 for a bad command line, 1 without a bus, and 0
/// where nobody needed it for a while.
public func runFprint(_ words: [String]) -> Int32 {
  let arguments: BusArguments
  do throws(BusArguments.Refusal) {
    arguments = try BusArguments(parsing: words, bus: "unix:path=/run/dbus/system_bus_socket", idleExit: 30)
  } catch {
    log(.error, error.explanation)
    return 2
  }
  // No variable of the caller's changes what sd-bus does.
  clearenv()
  return BusService.run(arguments)
}
