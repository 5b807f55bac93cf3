// signet-askpass: see SignetAskpass.
import Glibc
import SignetAskpass
import SignetVocabulary

if Version.isAsked(of: "signet-askpass", in: CommandLine.arguments) { exit(0) }
exit(runAskpass(Array(CommandLine.arguments.dropFirst())).rawValue)
