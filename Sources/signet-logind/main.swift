// signet-logind: see SignetLogind.
import Glibc
import SignetLogind
import SignetVocabulary

if Version.isAsked(of: "signet-logind", in: CommandLine.arguments) { exit(0) }
exit(runLogind(Array(CommandLine.arguments.dropFirst())))
