import Glibc
import SignetPasscode

exit(PasscodeProgram.run())
