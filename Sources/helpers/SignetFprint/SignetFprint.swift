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
#endif

/// The whole of signet-fprint, with its command line. Returns the status to exit with: 2 for a bad command line, 1 without a bus, and 0
/// where nobody needed it for a while.
public func runFprint(_ words: [String]) -> Int32 {
  let arguments: FprintArguments
  do throws(FprintArguments.Refusal) {
    arguments = try FprintArguments(parsing: words)
  } catch {
    log(.error, error.explanation)
    return 2
  }
  // No variable of the caller's changes what sd-bus does.
  clearenv()
  return BusService.run(arguments)
}

/// The command line: `[--bus ADDRESS] [--socket PATH] [--idle-exit SECONDS]`.
struct FprintArguments: Equatable {
  var bus = "unix:path=/run/dbus/system_bus_socket"
  var socket = "/run/signet/socket"
  /// How long to stay where nobody asks anything, in seconds.
  var idleExit: Int64 = 30

  struct Refusal: Error { var explanation: String }

  init(parsing words: [String]) throws(Refusal) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst(), !value.isEmpty else { throw Refusal(explanation: "\(word) needs a value") }
      switch word {
      case "--bus": bus = value
      case "--socket": socket = value
      case "--idle-exit":
        guard let seconds = Int64(value), seconds > 0, seconds <= 86_400 else {
          throw Refusal(explanation: "\(value) is no number of seconds")
        }
        idleExit = seconds
      default: throw Refusal(explanation: "unknown argument \(word)")
      }
    }
  }
}
