/// What keeps the keys of open vaults from others, which depends on the kernel and on who started signetd.
public enum KeyProtection: UInt8, CaseIterable, Sendable {
  /// Memory that no debugger and no core dump can read. systemd keeps it for the signetd after one that crashed.
  case secret = 0
  /// Memory that is not swapped out, which root's debugger can read. It is gone when signetd ends, however that comes.
  case locked = 1
  /// As `secret`, but signetd was not started by systemd: the keys are gone when it ends.
  case unkept = 2
}
