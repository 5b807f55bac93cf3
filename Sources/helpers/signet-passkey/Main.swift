// signet-passkey is the security key that a user's browser finds: signet-hid gives it the reports of a virtual device, and signetd has the
// keys and asks for the finger or the passcode. What is decided here is what the protocol says; that nothing signs before the owner was
// asked is signetd's to decide. Everything runs on one thread.
import CCrypto
import CLibc

/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_passkey_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  let all = [String](count: count, words: words)
  if Version.isAsked(of: "signet-passkey", in: all) { return 0 }
  guard let arguments = Arguments(parsing: Array(all.dropFirst())) else {
    log("usage: signet-passkey [--socket PATH] [--finger-timeout SECONDS] [--descriptor NUMBER]")
    return 2
  }
  // No core file has a key that was agreed on, and no other process of the user's reads one here.
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0, clinux_prctl(PR_SET_DUMPABLE, 0) == 0 else {
    log("the memory of this process cannot be hidden")
    return 1
  }
  guard ccrypto_is_available() != 0 else {
    log("libcrypto is not there")
    return 1
  }
  speakUsersLanguage()
  clibc_ignore(SIGPIPE)
  return Host.serve(arguments)
}

/// The command line.
struct Arguments {
  var socket = "/run/signet/socket"
  /// A connection to use in the place of signet-hid's, for tests.
  var descriptor: Int32?
  /// See `Authenticator`.
  var fingerTimeout: UInt16 = 60

  init?(parsing words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst(), !value.utf8.isEmpty else { return nil }
      if Arguments.isSame(word, "--socket") {
        socket = value
      } else if Arguments.isSame(word, "--descriptor"), let number = Int32(value), number > 2 {
        descriptor = number
      } else if Arguments.isSame(word, "--finger-timeout"), let number = UInt16(value), (1...3600).contains(number) {
        fingerTimeout = number
      } else {
        return nil
      }
    }
  }

  private static func isSame(_ word: String, _ option: String) -> Bool { Array(word.utf8) == Array(option.utf8) }
}

/// No site and no account comes here.
func log(_ text: String) {
  var line = Array("<4>signet-passkey: \(text)\n".utf8)
  _ = line.withUnsafeMutableBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
