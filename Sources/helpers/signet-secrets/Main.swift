// signet-secrets is the process that answers to org.freedesktop.secrets on a user's own bus: programs that know libsecret keep their
// secrets in the user's vault. It decides nothing: signetd opens the vault, and asks for the finger or the passcode. What is decided here
// is which secret a session gets, in which form, and what is locked because a program wanted that. Everything runs on one thread; who
// asks the owner is a child.
import CBus
import CLibc

/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_secrets_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  let all = [String](count: count, words: words)
  if Version.isAsked(of: "signet-secrets", in: all) { return 0 }
  let arguments: Arguments
  do throws(Arguments.Refusal) {
    arguments = try Arguments(parsing: Array(all.dropFirst()))
  } catch {
    log(.error, error.explanation)
    return 2
  }
  // No core file has a secret, and no other process of the user's reads one here.
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0, clinux_prctl(PR_SET_DUMPABLE, 0) == 0 else {
    log(.error, "the memory of this process cannot be hidden")
    return 1
  }
  speakUsersLanguage()
  clibc_ignore(SIGPIPE)
  return SecretService.run(arguments)
}

/// The command line: `[--bus ADDRESS] [--socket PATH] [--idle-exit SECONDS]`.
struct Arguments {
  /// Empty: the user's own bus.
  var bus = ""
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
    if bus.isEmpty { bus = Arguments.usersBus }
  }

  /// As the bus says it to whom it starts, or where it is by itself.
  private static var usersBus: String {
    if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
    return "unix:path=/run/user/\(getuid())/bus"
  }
}

/// Severity, as in syslog(3), which journald reads from `<N>` in front of a line.
enum LogLevel: Int {
  case error = 3, warning = 4, info = 6
}

/// Writes one line to standard error. What others named must make neither a second line, nor an endless one; no secret and no attribute
/// comes here.
func log(_ level: LogLevel, _ text: String) {
  let harmless = ForeignText.harmless(String(text.unicodeScalars.prefix(400)), replacement: "?")
  var bytes = Array("<\(level.rawValue)>signet-secrets: \(harmless)\n".utf8)
  _ = bytes.withUnsafeMutableBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
