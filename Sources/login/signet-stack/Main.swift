// signet-stack runs a copied PAM stack with the real libpam. It loads no module: libpam gets `standIn` for each one. It asks
// nobody, logs nothing, and exits when its standard input ends.
//
// A request is a line: `run`, and for each entry the word that its stand-in answers, or `-` for a module that cannot be loaded.
// The reply is a line: the word that pam_authenticate answered, and the numbers of the entries that libpam came to. A `!`
// follows an entry whose jump leads beyond the end of the stack.
import CLibc

/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_stack_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  let arguments = unsafe [String](count: count, words: words)
  if Version.isAsked(of: "signet-stack", in: arguments) { return 0 }
  guard arguments.count == 2, arguments[1].utf8.starts(with: "/tmp/signet-check-".utf8) else { return 2 }
  // A key that interrupts the command sends these signals here too. They must not end this program before it has removed the
  // copy, which it does once the command is gone and its input ends.
  for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM] { clibc_ignore(number) }
  Run.reply("ready")
  while let line = Run.request() {
    guard line.first?.isSame(as: "run") == true else { break }
    unsafe Run.outcomes = line.dropFirst().map { Codes.number(of: $0) }
    Run.reply(Run.authenticate(in: arguments[1]))
  }
  CopiedFiles.remove(in: arguments[1])
  return 0
}
