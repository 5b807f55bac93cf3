// signet-reader: see SignetReader.
import Glibc
import SignetReader
import SignetVocabulary

if Version.isAsked(of: "signet-reader", in: CommandLine.arguments) { exit(0) }
exit(runReader(Array(CommandLine.arguments.dropFirst())))
