import SignetTestKit
import Testing

/// A program of Debian's that asks for the user, on their terminal.
struct Host: Sendable, CustomTestStringConvertible {
  /// How it comes to its terminal.
  enum Start: Sendable {
    /// Typed at the prompt of the user's shell.
    case line(String)
    /// As the terminal's first program; what it lets in is the session's shell.
    case session(String)
  }

  /// How it takes a passcode.
  enum Form: Sendable {
    /// In the prompt that takes a finger, too.
    case either
    /// After Enter: nothing that is typed before is a part of it.
    case afterEnter
  }

  /// What a scenario leads to.
  enum Ending: Sendable { case granted, refused, interrupted, quit, ended }

  /// What is seen of a host then.
  enum Outcome: Sendable {
    /// The status that the shell has of it, or that its parent has; negative is a signal's number.
    case status(Int32)
    /// It asks for a name, and then for everything again.
    case asksAgain
  }

  let name: String
  let start: Start
  let form: Form
  var outcomes: [Ending: Outcome] = [.refused: .status(1)]
  var testDescription: String { name }

  /// What stands on the screen when a finger may come.
  var question: String {
    switch form {
    case .either: "Swipe your finger or enter your passcode: "
    case .afterEnter: "Swipe your finger across the fingerprint reader (press Enter for the passcode)"
    }
  }

  static let sudo = Host(
    name: "sudo", start: .line("sudo probe"), form: .either,
    // Of a command that a signal did not end: sudo goes on after the module, and says that nobody was proved.
    outcomes: [.refused: .status(1), .interrupted: .status(1), .quit: .status(1), .ended: .status(1)])
  static let su = Host(
    name: "su", start: .line("su finger -c probe"), form: .either,
    outcomes: [.refused: .status(1), .interrupted: .status(130), .quit: .status(131), .ended: .status(1)])
  static let login = Host(
    name: "login", start: .session("login finger"), form: .either,
    outcomes: [.refused: .asksAgain, .interrupted: .status(-2), .quit: .status(-3), .ended: .asksAgain])
  static let pkttyagent = Host(
    name: "pkexec with pkttyagent", start: .line("beside-pkttyagent pkexec probe"), form: .afterEnter,
    outcomes: [.refused: .status(127), .interrupted: .status(130), .quit: .status(131)])

  static let all = [sudo, su, login, pkttyagent]
}
