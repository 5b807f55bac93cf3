import Glibc
import SignetPasscode
import SignetVocabulary

if Version.isAsked(of: "signet-passcode", in: CommandLine.arguments) { exit(0) }
exit(PasscodeProgram.run())
