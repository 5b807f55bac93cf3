import CLibc
import CLinux

/// What the process gives up before it reads the passcode.
enum Confinement {
  /// Confines the process and returns the channel, which is descriptor 0 at first; `nil` where that fails. Then no passcode
  /// may be read.
  static func enter(lifetime: UInt32) -> Int32? {
    resetSignals()
    _ = alarm(lifetime)
    // The signal comes when the thread that started this process ends. That is the thread that waits for the answer.
    guard hideMemory(), clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL)) == 0 else { return nil }
    _ = umask(0o077)
    _ = clearenv()
    return takeChannel()
  }

  /// Undoes what the parent may have set, since it survives exec. A blocked or ignored SIGALRM would disable the deadline, and an
  /// ignored SIGCHLD would break modules that wait for a helper process.
  private static func resetSignals() {
    clibc_default(SIGALRM)
    clibc_default(SIGCHLD)
    var none = sigset_t()
    _ = unsafe sigemptyset(&none)
    _ = unsafe sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Forbids core files, and reading this process's memory from other processes of the user. Modules copy the passcode to the
  /// heap and not all of them wipe it, so freed memory is overwritten.
  private static func hideMemory() -> Bool {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else { return false }
    _ = mallopt(M_PERTURB, 0xA5)
    return clinux_prctl(PR_SET_DUMPABLE, 0) == 0
  }

  /// Moves the channel to a close-on-exec descriptor, puts /dev/null in its place, and closes what else was inherited. Modules
  /// and the helpers they start may read or write the standard descriptors, and a helper that outlives this process must not
  /// keep the channel open.
  private static func takeChannel() -> Int32? {
    guard clinux_close_from(3) == 0 else { return nil }
    let channel = clinux_duplicate(0, 3)
    let null = unsafe clinux_open("/dev/null", O_RDWR | O_CLOEXEC, 0)
    guard channel >= 0, null >= 0, dup2(null, 0) == 0 else { return nil }
    for descriptor: Int32 in 1...2 where !isOpen(descriptor) { _ = dup2(null, descriptor) }
    return channel
  }

  private static func isOpen(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0
  }
}
