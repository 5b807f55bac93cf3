// signet-askpass: see SignetAskpass.
import Glibc
import SignetAskpass

exit(runAskpass(Array(CommandLine.arguments.dropFirst())).rawValue)
