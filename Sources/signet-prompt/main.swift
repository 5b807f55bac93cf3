// signet-prompt: see SignetPrompting.
import Glibc
import SignetPrompting

exit(runPrompt(Array(CommandLine.arguments.dropFirst())).rawValue)
