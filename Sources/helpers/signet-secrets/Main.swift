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
  let arguments: BusArguments
  do throws(BusArguments.Refusal) {
    arguments = try BusArguments(parsing: Array(all.dropFirst()), bus: usersBus, idleExit: 30)
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

/// The user's own bus: as it says that to whom it starts, or where it is by itself.
private var usersBus: String {
  if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
  return "unix:path=/run/user/\(getuid())/bus"
}

/// No secret and no attribute comes here.
func log(_ level: LogLevel, _ text: String) { BusLog.put("signet-secrets", level, text) }
