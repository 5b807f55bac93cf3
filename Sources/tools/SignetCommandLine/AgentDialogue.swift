import Glibc
import SignetAgentProtocol
import SignetMemory
import SignetWords

/// A request to the user's agent, and its answers.
struct AgentDialogue: ~Copyable {
  private let connection: AgentConnection

  /// Asks the agent, for the session in which the command runs. The agent is started where there is none.
  init(_ request: AgentRequest, _ options: AgentOptions) throws(CommandFailure) {
    let connection = try AgentDialogue.connect(options.path())
    do throws(AgentConnection.Failure) { try connection.send(request) } catch { throw AgentDialogue.failure(error) }
    self.connection = connection
  }

  private static func connect(_ path: String) throws(CommandFailure) -> AgentConnection {
    do throws(AgentConnection.Failure) {
      return try AgentStart.connect(path: path, program: CommandPath.program("signet-agent"))
    } catch { throw failure(error) }
  }

  /// The next answer; throws the agent's refusal.
  func next() throws(CommandFailure) -> AgentReply {
    let reply: AgentReply?
    do throws(AgentConnection.Failure) { reply = try connection.receive(AgentReply.self) } catch {
      throw AgentDialogue.failure(error)
    }
    guard let reply else { throw AgentDialogue.failure(.closed(0)) }
    guard case .failed(let failure) = reply else { return reply }
    throw CommandFailure(AgentDialogue.status(of: failure.reason), Printable.text(failure.message))
  }

  /// Answers what the agent asked.
  func answer(isYes: Bool) throws(CommandFailure) {
    do throws(AgentConnection.Failure) { try connection.send(AgentAnswer(isYes: isYes)) } catch {
      throw AgentDialogue.failure(error)
    }
  }

  /// The digits of this session's token, for the agent to know the session by.
  static func session() throws(CommandFailure) -> String {
    var digits = try orExhausted(SecretBytes(capacity: 256))
    try TokenKeyring.read(into: &digits)
    return String(decoding: Array(copying: digits.span), as: UTF8.self)
  }

  private static func failure(_ failure: AgentConnection.Failure) -> CommandFailure {
    switch failure {
    case .closed(ENOENT), .closed(ECONNREFUSED): CommandFailure(.noHelper, AgentCommandText.noAgent)
    case .closed, .malformed, .silent: CommandFailure(.noHelper, AgentCommandText.agentEnded)
    }
  }

  private static func status(of reason: AgentFailure.Reason) -> ExitStatus {
    switch reason {
    case .loginRequired, .bindAnew: .locked
    case .offline: .unavailable
    case .noSession: .permissionDenied
    case .notBound, .severalAccounts, .alreadyBound, .refused: .refused
    }
  }
}
