import CLinux

/// SIGTSTP for this process, a moment from now.
///
/// A host that has not yet come to read by then, on a machine that stands still, is stopped where it is.
@safe struct LaterStop: ~Copyable {
  private let timer: UnsafeMutableRawPointer?

  /// In milliseconds: a host is ready for it in less than one.
  private static var delay: Int32 { 60 }

  init() { unsafe timer = clinux_signal_later(SIGTSTP, LaterStop.delay) }

  deinit { if let timer = unsafe timer { unsafe clinux_signal_never(timer) } }
}
