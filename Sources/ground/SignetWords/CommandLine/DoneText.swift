import SignetLanguage
import SignetVocabulary

/// What `signet` says when it has done something, or found nothing to do.
public enum DoneText {
  public static func enrolling(_ finger: Finger) -> String { say("Enrolling \(FingerText.name(finger))") }
  public static func enrolled(_ finger: Finger) -> String { say("Enrolled \(FingerText.name(finger)).") }
  public static func deleting(_ finger: Finger?) -> String {
    finger.map { say("Deleting \(FingerText.name($0))") } ?? say("Deleting all fingers")
  }
  public static func deleted(_ finger: Finger?) -> String {
    finger.map { say("Deleted \(FingerText.name($0)).") } ?? say("Deleted all fingers.")
  }
  /// An empty name: the caller's own.
  public static func locked(_ user: String) -> String {
    user.isEmpty
      ? say("Locked the fingerprints until the passcode is entered.")
      : say("Locked the fingerprints of \(user) until the passcode is entered.")
  }
  /// Who has no finger has nothing that could be locked.
  public static func notLocked(_ user: String) -> String {
    user.isEmpty
      ? say("You have not enrolled a finger, so none is locked.") : say("\(user) has not enrolled a finger, so none is locked.")
  }
  public static func reset(_ user: String) -> String { say("Cleared the strikes of \(user).") }
  public static func revoked(_ session: String) -> String { say("Revoked session \(session).") }

  public static func stored(_ name: ItemName) -> String { say("Stored \(ItemText.name(name)).") }
  public static func replaced(_ name: ItemName) -> String { say("Replaced \(ItemText.name(name)).") }
  public static func deleted(_ name: ItemName) -> String { say("Deleted \(ItemText.name(name)).") }
  public static func revoked(_ name: ItemName) -> String {
    say("Other programs need your consent again for \(ItemText.name(name)).")
  }
  public static var recovered: String { say("Recovered the vault. Your present passcode opens it from now on.") }
  public static var vaultReset: String { say("Gave up the vault. The next item makes a new one.") }
  /// Before it is given up. `items` is an `ItemText.count`.
  public static func willBeGone(_ items: String) -> String { say("The vault has \(items). All of it will be gone for good.") }

  /// `reader` is an identifier.
  public static func comparedAlone(on reader: String, first: Finger) -> String {
    say(
      """
      \(reader) compares with one finger at a time, and a prompt names the one that it wants. The first is: \
      \(FingerText.spoken(first))
      """)
  }

  public static var noReaders: String { say("No fingerprint reader is there, or libfprint does not support it.") }
  public static var noFingers: String { say("No finger is enrolled. Enroll one with: signet enroll") }
  public static var refreshEnded: String { say("The refresh token is of no use any more.") }
  public static var othersRevoked: String { say("All other sessions are revoked.") }
  public static var noSessions: String { say("No session holds a token.") }
  public static var noEvents: String { say("Nothing has happened yet.") }
  public static var noItems: String { say("The vault has no items. Add one with: signet vault add") }
  public static var endsInNewline: String { say("The secret ends in a newline, which is part of it; --trim leaves it out.") }
}
