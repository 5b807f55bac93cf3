import SignetLanguage

/// What `signet status` says of fingers and readers.
public enum StatusText {
  public static var noFinger: String { say("none. Enroll one with: signet enroll") }

  /// - Parameter reader: the identifier of the reader on which it was enrolled.
  public static func absent(_ finger: String, reader: String) -> String { say("\(finger) (its reader \(reader) is not there)") }

  /// What a closed lid changes for these readers.
  public static func lidClosed(_ readers: [String]) -> String {
    say("closed: logins ask for the passcode, and for no finger on \(readers.joined(separator: ", ")); see lid in signet.conf(5)")
  }

  /// - Parameter holders: as `ReaderHolders` names them; empty where nobody was seen.
  public static func held(_ readers: [String], by holders: [String]) -> String {
    let names = readers.joined(separator: ", ")
    return holders.isEmpty
      ? say("\(names) by another program; which one says, as root: signet doctor --only readers")
      : say("\(names) by another program: \(holders.joined(separator: ", "))")
  }
}
