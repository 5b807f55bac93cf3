import Glibc
import SignetTPM

exit(TPMProgram.run(Array(CommandLine.arguments.dropFirst())))
