import SignetLanguage

extension AgentServer.Options {
  /// What the command line asks for.
  public enum Wish: Sendable {
    case serve(AgentServer.Options)
    case version
  }

  /// Reads the words behind the program's name; see signet-agent(1).
  public static func parse(_ arguments: some Sequence<String>) throws(AgentServer.StartFailure) -> Wish {
    var options = AgentServer.Options()
    var words = arguments.makeIterator()
    while let word = words.next() {
      if word == "--version" { return .version }
      guard ["--listen", "--socket", "--state", "--trust"].contains(word) else {
        throw AgentServer.StartFailure(message: say("\(word) is no option of signet-agent; see signet-agent(1)."))
      }
      guard let value = words.next() else {
        throw AgentServer.StartFailure(message: say("\(word) needs a value; see signet-agent(1)."))
      }
      switch word {
      case "--listen": options.path = value
      case "--socket": options.socket = value
      case "--state": options.state = value
      default: options.roots.append(value)
      }
    }
    return .serve(options)
  }
}
