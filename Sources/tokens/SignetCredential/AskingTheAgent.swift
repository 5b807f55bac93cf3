import SignetAgentProtocol
import SignetContexts
import SignetFiles
import SignetLanguage
import SignetMemory
import SignetVocabulary

extension CredentialFailure {
  static var noAnswer: CredentialFailure { CredentialFailure(say("signet-agent gave an answer that is none.")) }
}

extension Credential {
  func token(
    _ source: TokenSource, _ kind: AgentRequest.TokenKind = .access
  ) throws(CredentialFailure) -> AgentToken {
    guard case .token(let token) = try ask(source, { $0.tokenKind = kind }) else { throw CredentialFailure.noAnswer }
    return token
  }

  /// One request, whose rest `complete` adds, and its answer.
  func ask(_ source: TokenSource, _ complete: (inout AgentRequest) -> Void) throws(CredentialFailure) -> AgentReply? {
    let path: String
    do throws(RuntimeFolder.Failure) { path = try AgentSocket.path(agent) } catch {
      throw CredentialFailure(error.sentence)
    }
    var request = AgentRequest(.token, session: try session(), issuer: source.issuer, account: source.account)
    complete(&request)
    let reply: AgentReply?
    do throws(AgentConnection.Failure) {
      let connection = try AgentConnection(path: path)
      try connection.send(request)
      reply = try connection.receive(AgentReply.self)
    } catch {
      throw CredentialFailure(say("signet-agent is not running: signet login \(source.issuer)"))
    }
    if case .failed(let failure) = reply { throw CredentialFailure(failure.message) }
    return reply
  }

  private func session() throws(CredentialFailure) -> String {
    guard var digits = SecretBytes(capacity: 256) else { throw CredentialFailure(say("there is no memory.")) }
    do throws(SessionToken.Failure) { try SessionToken.read(into: &digits) } catch {
      throw CredentialFailure(say("this is no session that Signet opened, or it has ended: log in."))
    }
    return String(decoding: (0..<digits.count).map { digits.span[$0] }, as: UTF8.self)
  }
}
