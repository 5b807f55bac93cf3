import SignetVocabulary

/// What `signet` says when it has done something, or found nothing to do. A finger is called as it is typed.
public enum DoneText {
  public static func enrolling(_ finger: Finger) -> String { "Enrolling \(finger.name)" }
  public static func enrolled(_ finger: Finger) -> String { "Enrolled \(finger.name)." }
  public static func deleting(_ finger: Finger?) -> String { finger.map { "Deleting \($0.name)" } ?? "Deleting all fingers" }
  public static func deleted(_ finger: Finger?) -> String { finger.map { "Deleted \($0.name)." } ?? "Deleted all fingers." }
  /// An empty name: the caller's own.
  public static func locked(_ user: String) -> String {
    user.isEmpty
      ? "Locked the fingerprints until the passcode is entered."
      : "Locked the fingerprints of \(user) until the passcode is entered."
  }
  public static func reset(_ user: String) -> String { "Cleared the strikes of \(user)." }
  public static func revoked(_ session: String) -> String { "Revoked session \(session)." }

  public static func stored(_ name: ItemName) -> String { "Stored \(ItemText.name(name))." }
  public static func replaced(_ name: ItemName) -> String { "Replaced \(ItemText.name(name))." }
  public static func deleted(_ name: ItemName) -> String { "Deleted \(ItemText.name(name))." }
  public static func revoked(_ name: ItemName) -> String {
    "Other programs need your consent again for \(ItemText.name(name))."
  }
  public static let recovered = "Recovered the vault. Your present passcode opens it from now on."
  public static let vaultReset = "Gave up the vault. The next item makes a new one."
  /// Before it is given up. `items` is an `ItemText.count`.
  public static func willBeGone(_ items: String) -> String { "The vault has \(items). All of it will be gone for good." }

  public static let noReaders = "No fingerprint reader is there, or libfprint does not support it."
  public static let noFingers = "No finger is enrolled. Enroll one with: signet enroll"
  public static let refreshEnded = "The refresh token is of no use any more."
  public static let othersRevoked = "All other sessions are revoked."
  public static let noSessions = "No session holds a token."
  public static let noEvents = "Nothing has happened yet."
  public static let noItems = "The vault has no items. Add one with: signet vault add"
  public static let endsInNewline = "The secret ends in a newline, which is part of it; --trim leaves it out."
}
