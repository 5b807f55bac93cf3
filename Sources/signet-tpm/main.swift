import Glibc
import SignetTPM
import SignetVocabulary

if Version.isAsked(of: "signet-tpm", in: CommandLine.arguments) { exit(0) }
exit(TPMProgram.run(Array(CommandLine.arguments.dropFirst())))
