import Glibc
import SignetAskpass
import SignetCommandLine
import SignetCredential
import SignetVocabulary

// One file with several names: as files of their own each would bring Swift's runtime once more. The name that it is called by says what
// it does, and gives it no right: whoever may run it may call it by any of them.
let words = Array(CommandLine.arguments.dropFirst())
let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
switch name {
case "signet-askpass":
  exit(Version.isAsked(of: name, in: CommandLine.arguments) ? 0 : runAskpass(words, fit: SignetCommandLine.fitted).rawValue)
case _ where name == "signet-credential" || name.hasPrefix("docker-credential-"):
  if Version.isAsked(of: "signet-credential", in: CommandLine.arguments) { exit(0) }
  exit(runCredential(name: name, words, fit: SignetCommandLine.fitted))
default: SignetCommandLine.main()
}
