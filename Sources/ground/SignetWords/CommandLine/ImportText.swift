import SignetLanguage
import SignetVocabulary

/// What `signet import fprintd` says of the fingers that fprintd has.
public enum ImportText {
  public static var title: String { say("Taking over fingers from fprintd") }
  public static func event(_ finger: Finger) -> String { say("Took over \(FingerText.name(finger)) from fprintd") }

  /// An empty name: the caller's own.
  public static func nothing(_ user: String) -> String {
    user.isEmpty
      ? say("fprintd has no fingers of yours. Enroll one with: signet enroll")
      : say("fprintd has no fingers of \(user). Enroll one with: signet enroll --user \(user)")
  }

  /// For `signet doctor`. `users` are names of accounts.
  public static func left(_ users: [String]) -> String {
    say("fprintd has fingers of \(users.joined(separator: ", ")), and Signet has none of theirs")
  }

  public static var someLeft: String { say("not every finger was taken over. What fprintd has of them is as it was.") }

  /// What came of one finger, and what to do about it. `finger` is `nil` for a whole folder.
  public static func of(_ outcome: ImportOutcome, _ finger: Finger?, reader: String) -> String {
    guard let finger else { return folder(outcome, reader: reader) }
    let name = say("\(FingerText.name(finger)) on \(reader)")
    let instead = say("Enroll it with: signet enroll \(finger.name)")
    return switch outcome {
    case .taken: say("Took over \(name).")
    case .enrolledAlready: say("\(name) is enrolled already, and stays as it is.")
    case .readerMissing: say("\(name) was not taken over: its reader is not there. Connect it, then run this again.")
    case .otherUser(""): say("\(name) was not taken over: the print names no user. \(instead)")
    case .otherUser(let user): say("\(name) was not taken over: the print was made for the user \(user). \(instead)")
    case .misplaced: say("\(name) was not taken over: the print in its file is of another finger or reader. \(instead)")
    case .unusable(let why): say("\(name) was not taken over: \(why). \(instead)")
    case .unreadable(let error): say("\(name) was not taken over: \(FaultText.of(error)). \(instead)")
    }
  }

  private static func folder(_ outcome: ImportOutcome, reader: String) -> String {
    guard case .unreadable(let error) = outcome else { return say("Something of fprintd's was not taken over.") }
    return reader.isEmpty
      ? say("What fprintd has here was not taken over: \(FaultText.of(error)).")
      : say("What fprintd has for \(reader) was not taken over: \(FaultText.of(error)).")
  }
}
