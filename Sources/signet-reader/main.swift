// signet-reader: see SignetReader.
import Glibc
import SignetReader

exit(runReader(Array(CommandLine.arguments.dropFirst())))
