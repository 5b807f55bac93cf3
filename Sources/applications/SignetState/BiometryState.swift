// SignetState tells a program how the owner's fingers stand, whenever that changes: as a sequence for `for await`, as an object
// that can be observed, and through a delegate. signetd says so by itself; nothing is polled.

/// How the owner's fingers stand, as seen from this program.
public enum BiometryState: Sendable {
  /// The owner has proved by finger or passcode, to an `LAContext` of this program, in the last five minutes, that they are there,
  /// and since then neither were the fingers locked nor the enrolled ones changed.
  case confirmed
  /// A finger can be asked for.
  case unconfirmed
  /// Only the passcode will do, whatever the finger says.
  case lockdown
  /// No finger can be used: no reader, none enrolled, no passcode, none asked for where the program runs, or no signetd.
  case notWorking
}
