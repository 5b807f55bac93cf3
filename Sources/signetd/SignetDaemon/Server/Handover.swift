import CLinux
import DaemonService
import Glibc
import SignetFiles
import SignetVocabulary

/// signetd executing its own file anew, so that an upgrade needs no stop: for systemd it stays the same process, and the new
/// program gets the listening socket and the keys of the open vaults, by the names of sd_listen_fds(3).
struct Handover {
  /// The name of a socket that signetd has bound itself: systemd would not start it again for the next request.
  static let boundSocket = "bound"

  /// How long a file is waited for that is still being written, in milliseconds.
  private static let fileTimeout: Int64 = 2_000

  /// The file that is executed: where this program was when it started, whatever is there now.
  let path: String
  /// The words behind the program's name.
  let words: [String]

  /// Executes the file with these descriptors, by name. Comes back only where that fails.
  func execute(passing named: [(name: String, descriptor: Int32)]) -> SystemError {
    // Threads that did not end in time still use their numbers: this thread gets a table of its own to put ours into.
    guard clinux_unshare_descriptors() == 0 else { return .last(.start, path) }
    let first = PassedDescriptors.first
    // Out of the way of the numbers that they get.
    let copies = named.map { clinux_duplicate($0.descriptor, first + Int32(named.count)) }
    for (copy, number) in zip(copies, first...) {
      guard copy >= 0, dup2(copy, number) == number else { return .last(.start, path) }
    }
    // Everything else is closed on exec.
    _ = unsafe setenv("LISTEN_PID", "\(getpid())", 1)
    _ = unsafe setenv("LISTEN_FDS", "\(named.count)", 1)
    _ = unsafe setenv("LISTEN_FDNAMES", named.map(\.name).joined(separator: ":"), 1)
    var arguments = unsafe ([path] + words).map { unsafe strdup($0) } + [nil]
    // Whoever installs may still have the file open for writing, or have just started a program that has it open, too. inotify(7)
    // tells of the close before the file may be executed, so there is nothing better to wait for than a moment.
    let deadline = monotonicMilliseconds() + Handover.fileTimeout
    var isWaiting = false
    while true {
      _ = unsafe execv(path, &arguments)
      let cause = clinux_errno()
      guard cause == ETXTBSY, monotonicMilliseconds() < deadline else { return .call(.start, path, code: cause) }
      if !isWaiting { Log.write(.notice, "somebody still writes to \(path)") }
      isWaiting = true
      _ = poll(nil, 0, 10)
    }
  }
}
