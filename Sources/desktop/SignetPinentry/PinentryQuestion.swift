/// What pinentry is to show, and what it is to ask. The texts are shown as they are: what others wrote must be harmless by then.
public struct PinentryQuestion: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// A hidden answer.
    case secret
    /// A text with one button, which is `ok`.
    case message
    /// Yes, which is `ok`, or no, which is `cancel`.
    case confirmation
  }

  public var kind: Kind
  /// Of the window.
  public var title = ""
  public var description = ""
  /// What stands before the hidden answer.
  public var prompt = ""
  /// What was wrong with the answer before.
  public var error = ""
  /// The buttons; empty: pinentry's own words.
  public var ok = ""
  public var cancel = ""

  public init(_ kind: Kind) { self.kind = kind }

  /// The commands that ask it, in order; the last one is answered by the user.
  func commands(options: [String]) -> [PinentryCommand] {
    let texts = [("SETDESC", description), ("SETPROMPT", prompt), ("SETERROR", error)].map {
      PinentryCommand(name: $0, text: $1, mayFail: false)
    }
    let looks = [("SETTITLE", title), ("SETOK", button(ok)), ("SETCANCEL", button(cancel))].map {
      PinentryCommand(name: $0, text: $1, mayFail: true)
    }
    return options.map { PinentryCommand(name: "OPTION", text: $0, mayFail: true) }
      + (texts + looks).filter { !$0.text.isEmpty } + [PinentryCommand(name: verb, text: "", mayFail: false)]
  }

  private var verb: String {
    switch kind {
    case .secret: "GETPIN"
    case .message: "MESSAGE"
    case .confirmation: "CONFIRM"
    }
  }

  /// An underscore would mark the next letter as a key; two are one.
  private func button(_ text: String) -> String { String(text.flatMap { $0 == "_" ? "__" : "\($0)" }) }
}

/// A command of the conversation, and whether the user can do without what it says.
struct PinentryCommand: Equatable, Sendable {
  var name: String
  var text: String
  var mayFail: Bool

  /// With its end.
  var line: String { (text.isEmpty ? name : "\(name) \(AssuanText.escaped(text))") + "\n" }
}
