import CLinux

/// Holds back the signals that end or stop the process while it waits, so that Ctrl-C cancels whatever the program does with
/// it, and the terminal is whole before the program's own handler, or its end, takes over.
///
/// Nothing is installed: the signals are blocked in this thread, which makes Linux keep even one that is ignored, and a
/// signalfd(2) tells of them without taking them. `release()` puts the mask back, and what came is delivered then.
public struct HeldSignals: ~Copyable {
  /// What the signals would do that are held back at this moment.
  public enum Effect: Sendable { case nothing, stop, end }

  /// For poll(2): readable while a signal is held back. -1 where there is none to be had, and signals act at once.
  public let descriptor: Int32
  private var held = sigset_t()
  private var before = sigset_t()
  private var isHolding = false

  /// - Parameter alarm: whether SIGALRM is held, too: login(1) ends in its handler when its time is over. Others use it as they like.
  public init(alarm: Bool = false) {
    var set = sigset_t()
    var pending = sigset_t()
    var mask = sigset_t()
    _ = unsafe sigemptyset(&set)
    _ = unsafe sigpending(&pending)
    _ = unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    // One that the program blocks and that has come already would cancel every attempt.
    for index in 0..<(alarm ? 5 : 4) where unsafe sigismember(&pending, HeldSignals.ending(index)) == 0 {
      _ = unsafe sigaddset(&set, HeldSignals.ending(index))
    }
    // One that the program blocks would not stop it: nothing to put the terminal in order for.
    if unsafe sigismember(&mask, SIGTSTP) == 0 { _ = unsafe sigaddset(&set, SIGTSTP) }
    descriptor = unsafe signalfd(-1, &set, Int32(truncatingIfNeeded: SFD_CLOEXEC | SFD_NONBLOCK))
    held = set
    hold()
  }

  private static func ending(_ index: Int) -> Int32 {
    switch index {
    case 0: SIGINT
    case 1: SIGQUIT
    case 2: SIGTERM
    case 3: SIGHUP
    default: SIGALRM
    }
  }

  public mutating func hold() {
    guard !isHolding, descriptor >= 0 else { return }
    isHolding = unsafe pthread_sigmask(SIG_BLOCK, &held, &before) == 0
  }

  /// Puts the program's mask back, which delivers what was held: it may end or stop in here.
  public mutating func release() {
    guard isHolding else { return }
    isHolding = false
    _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  public func look() -> Effect {
    var pending = sigset_t()
    var set = held
    guard unsafe sigpending(&pending) == 0 else { return .nothing }
    for index in 0..<5 {
      let signal = HeldSignals.ending(index)
      if unsafe sigismember(&pending, signal) == 1, unsafe sigismember(&set, signal) == 1 { return .end }
    }
    return unsafe sigismember(&pending, SIGTSTP) == 1 && sigismember(&set, SIGTSTP) == 1 ? .stop : .nothing
  }

  /// Takes one for good, so that it is never delivered; its number.
  public func take() -> Int32? {
    var signal = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(descriptor, &signal, size) == size else { return nil }
    return Int32(bitPattern: signal.ssi_signo)
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
    if isHolding {
      var mask = before
      _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
  }
}
