import CLinux
import DaemonService
import Glibc

/// Whether signet-logind is wanted, as a file that systemd looks for (`ConditionPathExists=` in signet-logind.service): a process
/// that reads signet.conf only to find out that it is not would cost every boot its start.
enum SessionLockWish {
  static func write(_ isWanted: Bool, in runtime: String) {
    let path = runtime + "/lock-with-session"
    guard isWanted else {
      _ = unsafe unlink(path)
      return
    }
    let file = unsafe clinux_open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    if file < 0 { return Log.write(.error, "cannot make \(path): sessions are locked without their fingerprints") }
    _ = close(file)
  }
}
