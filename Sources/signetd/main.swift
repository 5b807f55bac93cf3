import Glibc
import SignetDaemon

exit(runSignetd(Array(CommandLine.arguments.dropFirst())))
