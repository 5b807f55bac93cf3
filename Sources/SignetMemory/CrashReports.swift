#if !hasFeature(Embedded)
  import Glibc

  /// Lets a crash end the process at once and without a word.
  ///
  /// Swift's runtime (the shared one, where it finds its tools) starts a program that writes the registers and what they point
  /// to into the log: a passcode or a key perhaps, which secret memory does not keep from it, since the process reads it out
  /// itself.
  public func forbidCrashReports() {
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { _ = signal(number, SIG_DFL) }
  }
#endif
