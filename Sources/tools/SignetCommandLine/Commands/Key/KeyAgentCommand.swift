import ArgumentParser
import CLinux
import Glibc
import SignetAgentProtocol
import SignetFiles
import SignetLanguage
import SignetWords

struct KeyAgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: say("Be the ssh agent that signs with your keys; each signature asks for what its key demands."),
    discussion: say(
      """
      With a command, behind --, the agent is there for that command, and ends with it. Without one it stays until it is interrupted, \
      and prints where it listens: ssh takes that path from SSH_AUTH_SOCK, or from IdentityAgent in ssh_config(5).
      Exit status: a command's own; 126 it cannot be run, 127 it is not there.
      """))

  @Option(
    name: .long, help: ArgumentHelp(say("Where to listen, instead of in your runtime directory."), valueName: "path"),
    completion: .file())
  var listen: String?
  @Argument(parsing: .postTerminator, help: ArgumentHelp(say("A command and its arguments, behind --.")))
  var command: [String] = []
  @OptionGroup var helper: HelperOptions

  func run() throws {
    // systemd may listen for it.
    if command.isEmpty, let passed = AgentSocket.passed() { return try serve(passed) }
    let path = try path()
    let listener = try listener(at: path)
    guard command.isEmpty else { return try give(way: listener, at: path) }
    print("SSH_AUTH_SOCK=\(path)")
    fflush(nil)
    try serve(listener)
  }

  private func serve(_ listener: Int32) throws(CommandFailure) {
    SSHAgentServer(listener: listener, helper: helper.socket).serve(until: -1)
    throw CommandFailure(.refused, KeyUseText.agentEnded(errno))
  }

  private func path() throws(CommandFailure) -> String {
    if let listen { return listen }
    do throws(RuntimeFolder.Failure) {
      let folder = try RuntimeFolder.own()
      return command.isEmpty ? "\(folder)/signet-ssh" : "\(folder)/signet-ssh-\(getpid())"
    } catch { throw CommandFailure(.refused, error.sentence) }
  }

  private func listener(at path: String) throws(CommandFailure) -> Int32 {
    let listener: Int32?
    do throws(AgentConnection.Failure) { listener = try AgentSocket.listen(at: path) } catch {
      throw CommandFailure(.refused, KeyUseText.notListening(path, error.description))
    }
    guard let listener else { throw CommandFailure(.refused, KeyUseText.alreadyThere(path)) }
    return listener
  }

  /// The command takes the place of this process, and another one serves as long as it lives.
  private func give(way listener: Int32, at path: String) throws {
    let words = [
      CommandPath.own, "key", "serve", "--path", path, "--command", "\(getpid())", "--socket", helper.socket,
    ]
    // Ctrl-C on their terminal is for the command: where it goes on, ssh still needs the other one. From its first moment, or the end of a
    // command that is done at once would take it along.
    let handlers = [SIGINT, SIGQUIT, SIGHUP].map { ($0, signal($0, SIG_IGN)) }
    guard ChildProgram.spawn(words, descriptor: listener, keepsSignals: true) != nil else {
      throw CommandFailure(.refused, ObstacleText.exhausted(errno))
    }
    for (number, handler) in handlers { _ = signal(number, handler) }
    _ = unsafe setenv("SSH_AUTH_SOCK", path, 1)
    throw ChildProgram.become(command)
  }
}

/// Runs beside the command that `agent` became, and is no command for people.
struct ServeKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

  /// Of the socket that is standard input.
  @Option(name: .long) var path: String
  /// The process of the command.
  @Option(name: .long) var command: Int32
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let owner = clinux_process(command)
    // A command that has ended already left its number to nobody yet, or to somebody who is not this one's parent.
    if owner >= 0, getppid() == command { SSHAgentServer(listener: STDIN_FILENO, helper: helper.socket).serve(until: owner) }
    for name in [path, path + ".lock"] { _ = unsafe unlink(name) }
  }
}

/// Runs for one client, which is standard input and output, and is no command for people.
struct AnswerClientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "answer", shouldDisplay: false)

  @OptionGroup var helper: HelperOptions

  func run() throws { SSHAgentClient(socket: STDIN_FILENO, helper: helper.socket).serve() }
}
