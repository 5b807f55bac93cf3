import SignetContexts
import SignetMemory
import SignetPinentry
import SignetVocabulary
import SignetWords

/// `--keep` and `--forget`.
struct Management {
  let name: ItemName
  private let fit: Fit

  private var vault: OwnerVault { OwnerVault(application: "signet-askpass") }

  init?(_ words: ArraySlice<String>, _ fit: @escaping Fit) {
    self.fit = fit
    guard (1...2).contains(words.count), let service = words.first, !service.isEmpty else { return nil }
    name = ItemName(service: service, account: words.count == 2 ? words.last ?? "" : "")
    guard name.isValid else { return nil }
  }

  func keep() -> AskpassStatus {
    var error = ""
    while true {
      guard let first = ask(AskpassText.passphrase, error: error), let second = ask(AskpassText.passphraseAgain) else {
        Output.complain(AskpassText.notKept, fit: fit)
        return .refused
      }
      if first.span.isEqual(to: second.span) { return keep(first) }
      error = AskpassText.differs
    }
  }

  /// `nil` where the user gave up, or nobody could be asked.
  private func ask(_ prompt: String, error: String = "") -> SecretBytes? {
    var question = Question.about(AskpassText.keep(name), .secret)
    (question.prompt, question.error) = (prompt, error)
    switch Question.ask(question) {
    case .typed(let value):
      guard value.count > 0 else { return nil }
      return value
    case .cancelled: return nil
    case .impossible:
      Output.complain(AskpassText.nobodyToAsk, fit: fit)
      return nil
    }
  }

  private func keep(_ value: borrowing SecretBytes) -> AskpassStatus {
    switch PassphraseCheck.of(value, for: name) {
    case .right: break
    case .wrong: return complain(AskpassText.wrong(name))
    case .unknown: return complain(AskpassText.unproved(name))
    }
    do throws(ContextError) {
      try vault.keep(name, value)
      return Output.write(AskpassText.kept(name) + "\n") ? .done : .refused
    } catch { return complain("\(String(translated: error.explanation)) \(AskpassText.notKept)") }
  }

  func forget() -> AskpassStatus {
    do throws(ContextError) {
      try vault.forget(name)
      return Output.write(AskpassText.forgotten(name) + "\n") ? .done : .refused
    } catch {
      return complain(error == .refused(.notFound) ? AskpassText.noItem(name) : String(translated: error.explanation))
    }
  }

  private func complain(_ text: String) -> AskpassStatus {
    Output.complain(text, fit: fit)
    return .refused
  }
}
