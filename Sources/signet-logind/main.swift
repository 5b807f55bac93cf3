// signet-logind: see SignetLogind.
import Glibc
import SignetLogind

exit(runLogind(Array(CommandLine.arguments.dropFirst())))
