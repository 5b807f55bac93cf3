import SignetBytes
import SignetVocabulary

/// What a program that runs an askpass wants, by the words with which it asks.
///
/// The words may come from a stranger: a server of ssh chooses what keyboard-interactive authentication asks. So they are only
/// taken for the question about a key where they are ssh's own from the first letter to the last; what a server says begins with
/// `(user@host) `. Anything that is not known is for the user to read and to answer.
enum AskersPrompt: Equatable {
  /// A passphrase that may be kept.
  case kept(ItemName)
  /// Something to be typed.
  case typed
  /// Yes or no, by the exit status (`SSH_ASKPASS_PROMPT=confirm`).
  case confirmation
  /// Nothing to be answered (`SSH_ASKPASS_PROMPT=none`).
  case notice
  /// A question about a host's key, whose answer is a word.
  case yesOrNo

  /// Who asks.
  struct AskingProgram: Equatable {
    /// The program's name, as the kernel has it.
    var name: String
    /// Whether it runs as root, which no user's program can pretend.
    var isRoot: Bool
    /// The user who is asked.
    var user: String
  }

  /// - Parameter hint: the variable `SSH_ASKPASS_PROMPT`, by which ssh says what kind of question it is.
  init(_ words: String, hint: String?, asker: AskingProgram) {
    switch hint {
    case "confirm": self = .confirmation
    case "none": self = .notice
    case nil: self = AskersPrompt.secret(words, asker)
    // Of a later version: nothing is released for a question that nobody here understands.
    case .some: self = .typed
    }
  }

  private static func secret(_ words: String, _ asker: AskingProgram) -> AskersPrompt {
    if let name = AskersPrompt.key(words) ?? AskersPrompt.sudo(words, asker) { return .kept(name) }
    return words.includes("(yes/no") ? .yesOrNo : .typed
  }

  /// What ssh, ssh-add and ssh-keygen ask (their sshconnect2.c, ssh-add.c and ssh-keygen.c), the first time.
  private static let questions = [
    (before: "Enter passphrase for key '", after: "': "), (before: "Enter passphrase for \"", after: "\": "),
    (before: "Enter passphrase for \"", after: "\" (will confirm each use): "),
    (before: "Enter passphrase for ", after: " (will confirm each use): "), (before: "Enter passphrase for ", after: ": "),
  ]

  private static func key(_ words: String) -> ItemName? {
    guard !words.contains("\n") else { return nil }
    for question in questions where words.hasPrefix(question.before) && words.hasSuffix(question.after) {
      let path = String(words.dropFirst(question.before.count).dropLast(question.after.count))
      // A whole path: a relative one would be another key's in another folder.
      guard path.hasPrefix("/"), path.utf8.count <= ItemLimit.name else { continue }
      return ItemName(service: "ssh-key", account: path)
    }
    return nil
  }

  /// sudo's own question for the user's own password, not for root's or another's (`rootpw`, `targetpw` of sudoers(5)).
  private static func sudo(_ words: String, _ asker: AskingProgram) -> ItemName? {
    guard asker.name == "sudo", asker.isRoot, words.hasPrefix("[sudo] "), !asker.user.isEmpty, !words.contains("\n") else {
      return nil
    }
    let names = words.split { $0 == " " || $0 == ":" }
    return names.contains { $0 == asker.user } ? ItemName(service: "sudo", account: "") : nil
  }
}
