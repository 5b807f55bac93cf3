import SignetLanguage
import SignetVocabulary

/// What `signet key` says. A number is an errno.
public enum KeyUseText {
  public static func made(_ name: String) -> String { say("Made the key \(name), in the vault. Its public half:") }
  public static func madeInTPM(_ name: String) -> String { say("Made the key \(name), in the TPM. Its public half:") }
  public static func deleted(_ name: String) -> String { say("Deleted the key \(name).") }
  public static var none: String { say("There are no keys. Make one: signet key make NAME") }
  public static func noKey(_ name: String) -> String { say("there is no key \(name). See: signet key list") }
  public static func askToDelete(_ name: String) -> String {
    say("Delete the key \(name)? Servers that trust it will no longer let you in. [y/N] ")
  }
  public static var noTerminal: String { say("a signature is no text: send it to a file or another program.") }

  // MARK: - what the finger is asked for

  public static func making(_ name: String) -> String { say("make the key \(name)") }
  public static func signing(_ name: String) -> String { say("sign with the key \(name)") }
  /// `program`: what the kernel says of who asks, a name or a path.
  public static func signing(_ name: String, for program: String) -> String { say("sign with the key \(name) for \(program)") }

  // MARK: - the agent

  public static func alreadyThere(_ path: String) -> String { say("an agent listens at \(path) already.") }
  public static func notListening(_ path: String, _ cause: String) -> String { say("nothing can listen at \(path): \(cause)") }
  public static func agentEnded(_ error: Int32) -> String { say("the agent takes no more clients: \(ErrorText.of(error))") }
}
