import SignetContexts
import SignetMemory
import SignetVocabulary
import SignetWords

/// The owner's vault, for one request each time.
struct OwnerVault {
  /// Who is said to ask.
  let application: String

  /// How it went with a passphrase that may be kept.
  enum Answer: ~Copyable {
    case released(SecretBytes)
    /// The user gave up: nothing more is asked.
    case cancelled
    /// It is not kept, or not to be had now: the user may type it.
    case nothing
  }

  func read(_ name: ItemName) -> Answer {
    guard name.isValid else { return .nothing }
    do throws(ContextError) {
      var host = prompter(name)
      var context = try ContextConnection(path: ProgramEnvironment.socket, name: "signet-askpass")
      let value = try context.read(name, &host)
      hideMemory()
      return .released(value)
    } catch {
      switch error {
      case .cancelled, .refused(.cancelled): return .cancelled
      default: return .nothing
      }
    }
  }

  /// Stores it, in the place of what is there.
  func keep(_ name: ItemName, _ value: borrowing SecretBytes) throws(ContextError) {
    var host = prompter(name)
    var context = try ContextConnection(path: ProgramEnvironment.socket, name: "signet-askpass")
    let item = Item(
      name, label: AskpassText.label(service: name.service, account: name.account),
      accessControl: AccessControl(.userPresence), accessibility: .whenUnlocked)
    do throws(ContextError) { try context.add(item, value.span, &host) } catch {
      guard error == .refused(.duplicateItem) else { throw error }
      try context.update(item, value.span, &host)
    }
  }

  func forget(_ name: ItemName) throws(ContextError) {
    var host = prompter(name)
    var context = try ContextConnection(path: ProgramEnvironment.socket, name: "signet-askpass")
    try context.delete(name, &host)
  }

  private func prompter(_ name: ItemName) -> DefaultPrompter {
    DefaultPrompter(
      Prompting(application: application, reason: AskpassText.reason(service: name.service, account: name.account)))
  }
}
