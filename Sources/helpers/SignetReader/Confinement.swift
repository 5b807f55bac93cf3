import CLinux
import CSeccomp
import Glibc
import SignetMemory

struct ConfinementError: Error { var explanation: String }

/// Gives up what a reader process does not need, before libfprint is used: root's rights, the chance to gain new ones, core
/// dumps, and being traced.
func confine(to user: String?, keepsDumpable: Bool) throws(ConfinementError) {
  if let user { try become(user) }
  try check(clinux_prctl(PR_SET_NO_NEW_PRIVS, 1), "no_new_privs")
  // Templates and images are in memory. No core file may have them, and no other process of the same user may read them.
  if !keepsDumpable { try check(clinux_prctl(PR_SET_DUMPABLE, 0), "PR_SET_DUMPABLE") }
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  try check(setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none), "RLIMIT_CORE")
  forbidCrashReports()
  try limitMemory()
}

/// Has each system call refused that a reader never needs, whatever takes this process over. Call it last: after it no user can
/// be looked up and no limit be set.
func forbidOtherSystemCalls() throws(ConfinementError) {
  let error = cseccomp_confine_reader()
  guard error == 0 else { throw ConfinementError(explanation: "seccomp: \(String(cString: strerror(error)))") }
}

/// A driver that loses its way must not take the memory of the machine. Pictures take a few megabytes, and each of libfprint's
/// threads reserves 8 MB for its stack.
private func limitMemory() throws(ConfinementError) {
  let most: rlim_t = 256 << 20
  var limit = rlimit()
  try check(getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit), "RLIMIT_DATA")
  limit.rlim_max = min(limit.rlim_max, most)
  limit.rlim_cur = min(limit.rlim_cur, most)
  try check(setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit), "RLIMIT_DATA")
}

private func become(_ name: String) throws(ConfinementError) {
  guard let entry = getpwnam(name) else { throw ConfinementError(explanation: "there is no user \(name)") }
  let uid = entry.pointee.pw_uid
  let gid = entry.pointee.pw_gid
  if geteuid() != 0 {
    guard geteuid() == uid else { throw ConfinementError(explanation: "only root can become \(name)") }
    return
  }
  guard uid != 0 else { return }
  var groups = [gid]
  try check(setgroups(1, &groups), "setgroups")
  try check(setgid(gid), "setgid")
  try check(setuid(uid), "setuid")
  guard setuid(0) != 0 else { throw ConfinementError(explanation: "root's rights came back") }
}

private func check(_ result: Int32, _ call: String) throws(ConfinementError) {
  guard result == 0 else { throw ConfinementError(explanation: "\(call): \(String(cString: strerror(clinux_errno())))") }
}
