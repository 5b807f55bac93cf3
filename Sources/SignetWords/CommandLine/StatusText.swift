/// What `signet status` says of fingers.
public enum StatusText {
  public static let noFinger = "none. Enroll one with: signet enroll"

  /// - Parameter reader: the identifier of the reader on which it was enrolled.
  public static func absent(_ finger: String, reader: String) -> String { "\(finger) (its reader \(reader) is not there)" }
}
