import Dispatch
import SignetAgentProtocol

/// Who asked for something, at the other end of its connection.
final class AgentClient: Sendable {
  private let queue = DispatchQueue(label: "signet-agent.asker")
  private let connection: AgentConnection
  private let answers: AsyncStream<AgentAnswer>
  private let answer: AsyncStream<AgentAnswer>.Continuation

  init(_ connection: consuming AgentConnection) {
    self.connection = connection
    (answers, answer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// One reply after another. Who does not stay for it is not waited for.
  func send(_ reply: AgentReply) { queue.sync { try? connection.send(reply) } }

  /// Asks for a yes; who has gone has not said it.
  func isConfirmed(_ question: AgentReply) async -> Bool {
    send(question)
    for await answer in answers { return answer.isYes }
    return false
  }

  /// Takes what the asker says, until it has gone, which it does with the last reply.
  func listen() {
    while let said = try? connection.receive(AgentAnswer.self) { answer.yield(said) }
    answer.finish()
  }
}
