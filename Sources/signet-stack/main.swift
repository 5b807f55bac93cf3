// signet-stack runs a copied PAM stack with the real libpam. It loads no module: libpam gets `standIn` for each one. It asks
// nobody, logs nothing, and exits when its standard input ends.
//
// A request is a line: `run`, and for each entry the word that its stand-in answers, or `-` for a module that cannot be loaded.
// The reply is a line: the word that pam_authenticate answered, and the numbers of the entries that libpam came to. A `!`
// follows an entry whose jump leads beyond the end of the stack.
import CPAM
import Glibc
import SignetVocabulary

if Version.isAsked(of: "signet-stack", in: CommandLine.arguments) { exit(0) }
let arguments = CommandLine.arguments
guard arguments.count == 2, arguments[1].hasPrefix("/tmp/signet-check-") else { exit(2) }
// A key that interrupts the command sends these signals here too. They must not end this program before it has removed the
// copy, which it does once the command is gone and its input ends.
[SIGINT, SIGQUIT, SIGHUP, SIGTERM].forEach { _ = signal($0, SIG_IGN) }
Run.reply("ready")
while let line = readLine() {
  var words = line.split(separator: " ")[...]
  guard words.popFirst() == "run" else { break }
  unsafe Run.outcomes = words.map { Codes.number(of: String($0)) }
  Run.reply(Run.authenticate(in: arguments[1]))
}
CopiedFiles.remove(in: arguments[1])
exit(0)
