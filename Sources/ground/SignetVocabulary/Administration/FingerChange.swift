/// A change of a user's enrolled fingers: nothing opens any more what was bound to those before it.
public struct FingerChange: Hashable, Sendable {
  /// How it came. The numbers are on the wire and on disk.
  public enum Cause: UInt8, CaseIterable, Sendable {
    case enrolled = 1, imported, deleted
  }

  public var cause: Cause
  /// `nil` for all of them.
  public var finger: Finger?
  /// Seconds since 1970.
  public var time: UInt64

  public init(_ cause: Cause, _ finger: Finger?, time: UInt64) {
    self.cause = cause
    self.finger = finger
    self.time = time
  }
}
