import SignetVocabulary

/// What `signet import fprintd` says of the fingers that fprintd has. A finger is called as it is typed.
public enum ImportText {
  public static let title = "Taking over fingers from fprintd"
  public static func event(_ finger: Finger) -> String { "Took over \(finger.name) from fprintd" }

  /// An empty name: the caller's own.
  public static func nothing(_ user: String) -> String {
    user.isEmpty
      ? "fprintd has no fingers of yours. Enroll one with: signet enroll"
      : "fprintd has no fingers of \(user). Enroll one with: signet enroll --user \(user)"
  }

  public static let someLeft = "not every finger was taken over. What fprintd has of them is as it was."

  /// What came of one finger, and what to do about it. `finger` is `nil` for a whole folder.
  public static func of(_ outcome: ImportOutcome, _ finger: Finger?, reader: String) -> String {
    guard let finger else { return folder(outcome, reader: reader) }
    let name = "\(finger.name) on \(reader)"
    let instead = "Enroll it with: signet enroll \(finger.name)"
    return switch outcome {
    case .taken: "Took over \(name)."
    case .enrolledAlready: "\(name) is enrolled already, and stays as it is."
    case .readerMissing: "\(name) was not taken over: its reader is not there. Connect it, then run this again."
    case .otherUser(""): "\(name) was not taken over: the print names no user. \(instead)"
    case .otherUser(let user): "\(name) was not taken over: the print was made for the user \(user). \(instead)"
    case .misplaced: "\(name) was not taken over: the print in its file is of another finger or reader. \(instead)"
    case .unusable(let why): "\(name) was not taken over: \(why). \(instead)"
    case .unreadable(let error): "\(name) was not taken over: \(FaultText.of(error)). \(instead)"
    }
  }

  private static func folder(_ outcome: ImportOutcome, reader: String) -> String {
    guard case .unreadable(let error) = outcome else { return "Something of fprintd's was not taken over." }
    return reader.isEmpty
      ? "What fprintd has here was not taken over: \(FaultText.of(error))."
      : "What fprintd has for \(reader) was not taken over: \(FaultText.of(error))."
  }
}
