import Glibc
import SignetDaemon
import SignetVocabulary

if Version.isAsked(of: "signetd", in: CommandLine.arguments) { exit(0) }
exit(runSignetd(Array(CommandLine.arguments.dropFirst())))
