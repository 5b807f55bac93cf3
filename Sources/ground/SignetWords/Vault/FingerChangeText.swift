import SignetLanguage
import SignetVocabulary

/// What a change of the enrolled fingers costs.
public enum FingerChangeText {
  /// As the row of an item that went says it, behind the time.
  public static func of(_ change: FingerChange) -> String {
    guard let finger = change.finger else { return say("Deleted all fingers") }
    return switch change.cause {
    case .enrolled: say("Enrolled \(FingerText.name(finger))")
    case .imported: ImportText.event(finger)
    case .deleted: say("Deleted \(FingerText.name(finger))")
    }
  }

  /// Above the names of the items.
  public static func willGo(_ count: Int) -> String {
    say(
      count, one: "\(count) item opens only with the fingers that are enrolled now, and will be gone for good:",
      other: "\(count) items open only with the fingers that are enrolled now, and will be gone for good:")
  }
  /// Below them.
  public static var advice: String { say("To keep one, read it before, with: signet vault get") }
  /// `why`: as signetd says it.
  public static func unknown(_ why: String) -> String {
    say("It cannot be told which items open only with the fingers that are enrolled now, and will be gone for good: \(why)")
  }
  /// Above the names, once they are.
  public static func went(_ count: Int) -> String {
    say(
      count, one: "\(count) item is gone with the fingers it was bound to:",
      other: "\(count) items are gone with the fingers they were bound to:")
  }
  public static func name(_ name: ItemName) -> String {
    switch name.kind {
    case .binding: say("the sign-in at \(ItemText.name(name))")
    case .key: say("the key \(ItemText.name(name))")
    default: ItemText.name(name)
    }
  }
}
