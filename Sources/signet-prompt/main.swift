// signet-prompt: see SignetPrompting.
import Glibc
import SignetPrompting
import SignetVocabulary

if Version.isAsked(of: "signet-prompt", in: CommandLine.arguments) { exit(0) }
exit(runPrompt(Array(CommandLine.arguments.dropFirst())).rawValue)
