import CLinux
import Glibc
import SignetFiles
import SignetVocabulary

/// A helper process with a `SOCK_SEQPACKET` channel on its standard input, an empty environment, and nothing else of ours.
///
/// It is ended and reaped when the object goes. Standard error is inherited, so that its lines reach the journal.
package final class ChildProcess: Sendable {
  package let pid: pid_t
  /// Our end of the channel, non-blocking.
  package let channel: Descriptor

  package init(path: String, arguments: [String]) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last(.socket) }
    let ours = Descriptor(ends[0])
    let theirs = Descriptor(ends[1])
    // Only our end is non-blocking: the child waits for its commands.
    _ = fcntl(ours.raw, F_SETFL, O_NONBLOCK)
    var size = Int32(512 * 1024)
    for end in ends { _ = unsafe setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
    pid = try ChildProcess.spawn(path, arguments, standardInput: theirs.raw)
    channel = ours
  }

  deinit { end() }

  private static func spawn(_ path: String, _ arguments: [String], standardInput: Int32) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    _ = unsafe posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
    _ = unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    var pid: pid_t = 0
    let code = unsafe clinux_spawn(&pid, path, &actions, &words, &environment)
    guard code == 0 else { throw .call(.start, path, code: code) }
    return pid
  }

  /// Whether it runs: neither stopped (SIGSTOP, a debugger) nor ended. Answers at once.
  package var isRunning: Bool {
    var status = unsafe siginfo_t()
    // WNOWAIT leaves the state for the reaping in `end`.
    guard unsafe waitid(P_PID, id_t(pid), &status, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0 else { return false }
    return unsafe status.si_signo == 0
  }

  /// Ends its channel, at which it is to end by itself, and kills it where it does not in time. `deinit` reaps it.
  package func finish(within limit: Int64) {
    _ = shutdown(channel.raw, Int32(SHUT_RDWR))
    // One that is stopped would not end however long it is waited for, and without a descriptor nobody could wait.
    let handle = Descriptor(pidfd_open(pid, 0))
    if handle.raw >= 0, isRunning {
      var end = pollfd(fd: handle.raw, events: Int16(POLLIN), revents: 0)
      let deadline = monotonicMilliseconds() + limit
      while unsafe poll(&end, 1, Int32(clamping: max(0, deadline - monotonicMilliseconds()))) < 0, clinux_errno() == EINTR {}
    }
    // Not reaped yet, so that the number is no other process's.
    _ = kill(pid, SIGKILL)
  }

  /// Ends and reaps it.
  private func end() {
    _ = kill(pid, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0, clinux_errno() == EINTR {}
  }
}
