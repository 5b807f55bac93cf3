import CLinux
import Glibc

/// Signals as input: while it lives, the signals that end or stop a program wait in a descriptor, so that a scan is
/// cancelled and the terminal restored before they take effect.
struct Interrupts: ~Copyable {
  /// For poll(2).
  let descriptor: Int32
  private let before: sigset_t

  /// `nil` where signalfd(2) fails.
  init?() {
    var awaited = sigset_t()
    _ = unsafe sigemptyset(&awaited)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { _ = unsafe sigaddset(&awaited, signal) }
    var before = sigset_t()
    guard unsafe sigprocmask(SIG_BLOCK, &awaited, &before) == 0 else { return nil }
    let flags = Int32(truncatingIfNeeded: SFD_CLOEXEC | SFD_NONBLOCK)
    let descriptor = unsafe signalfd(-1, &awaited, flags)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    self.before = before
  }

  deinit {
    _ = close(descriptor)
    var mask = before
    _ = unsafe sigprocmask(SIG_SETMASK, &mask, nil)
  }

  /// The next signal that waits, if any.
  func take() -> Int32? {
    var signal = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(descriptor, &signal, size) == size else { return nil }
    return Int32(bitPattern: signal.ssi_signo)
  }

  /// Stops the process as the terminal's suspend key asks; returns when it is continued.
  static func suspend() { _ = raise(SIGSTOP) }
}
