/// Whose places in signetd are all taken, where it has none left for somebody who asks.
public enum Crowd: UInt8, Sendable {
  /// The asker's own: those of one user, whatever programs use them.
  case ofAsker = 1
  /// Those of the system's services (login, a display manager), which nobody logged in to start.
  case ofServices = 2
}
