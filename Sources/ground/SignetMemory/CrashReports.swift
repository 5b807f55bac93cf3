#if !hasFeature(Embedded)
  import Glibc

  /// Makes a crash end the process at once, without a report.
  ///
  /// When a program crashes, Swift's shared runtime starts a tool, where one is installed, that logs the registers and the
  /// memory they point to: perhaps a passcode or a key. Secret memory is no protection, since the process itself reads it out.
  public func forbidCrashReports() {
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { _ = signal(number, SIG_DFL) }
  }
#endif
