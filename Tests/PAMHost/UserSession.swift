import CLinux
import Glibc
import SignetTestKit

/// Runs a command as a display manager starts a session: as the user, in a session of its own, with the environment that
/// the PAM modules made and nothing else. Its exit status.
func runSession(of user: String, _ command: String, environment: [String]) -> Int32 {
  guard let entry = getpwnam(user)?.pointee else { return -1 }
  let shell: [String] = ["sh", "-c", command]
  var words: [UnsafeMutablePointer<CChar>?] = shell.map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for pointer in words + variables { free(pointer) } }
  let pid = clinux_fork()
  if pid == 0 {
    guard setsid() >= 0, initgroups(user, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0, setuid(entry.pw_uid) == 0,
      chdir(entry.pw_dir) == 0
    else { _exit(126) }
    execve("/bin/sh", &words, &variables)
    _exit(127)
  }
  return (try? waitForExit(of: pid, within: 60_000)) ?? -1
}
