/// What a user is told who has too many prompts open.
public enum BusyText {
  public static var tooManyPrompts: StaticString { "Too many of your prompts are open. Close some and try again" }
}
