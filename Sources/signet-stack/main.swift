// signet-stack runs a copied PAM stack with the real libpam. It loads no module: libpam gets `standIn` for each one. It asks
// nobody, logs nothing, and exits when its standard input ends.
//
// A request is a line, `run` and a word for each entry: what its stand-in answers, `-` for a module that cannot be loaded.
// The reply is a line: pam_authenticate's answer and the numbers of the entries that libpam came to, `!` behind one whose
// jump leads beyond the end.
import CPAM
import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 2, arguments[1].hasPrefix("/tmp/signet-check-") else { exit(2) }
// The keys that interrupt a command end it, and with it our input: then the copy goes.
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
