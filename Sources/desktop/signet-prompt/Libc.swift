// What Swift's Glibc module has in a form of its own, for files that import that where they are compiled normally.
import CLibc
import CLinux

var errno: Int32 { clinux_errno() }

@discardableResult
func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32 = 0) -> Int32 { clibc_fcntl(descriptor, command, value) }

var S_IFMT: mode_t { mode_t(CLibc.S_IFMT) }
var S_IFDIR: mode_t { mode_t(CLibc.S_IFDIR) }
var S_IFREG: mode_t { mode_t(CLibc.S_IFREG) }
