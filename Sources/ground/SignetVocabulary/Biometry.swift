/// How the fingers of the user stand, as a program is told that watches.
public enum BiometryState: UInt8, Sendable {
  /// A finger can be asked for.
  case usable = 1
  /// Only the passcode will do, whatever the finger says. Why: a `LockReason`.
  case lockout = 2
  /// There is no reader, no finger or no passcode, or no finger is asked for where the program runs.
  case notWorking = 3
}

/// What a user can be recognised by, with the numbers of Apple's `LABiometryType`.
public enum BiometryKind: UInt8, Sendable {
  case none = 0
  /// A fingerprint reader.
  case touchID = 1
}
