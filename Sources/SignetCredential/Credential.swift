// SignetCredential gives access tokens to programs that ask a helper for them: git, docker and podman, kubectl. It asks the user's
// agent, which serves open sessions only, and keeps nothing.
import FoundationEssentials
import Glibc
import SignetAgentProtocol
import SignetContexts
import SignetMemory
import SignetVocabulary

/// Why there is no credential; `message` goes to standard error.
public struct CredentialFailure: Error, Equatable, Sendable {
  public var message: String

  init(_ message: String) { self.message = message }
}

/// One run of signet-credential.
public struct Credential {
  /// Which program asks.
  public enum Form: String, CaseIterable, Sendable { case git, docker, kubectl }

  let form: Form
  let words: [String]
  let issuer: String
  let account: String
  let agent: String?

  /// - Parameters:
  ///   - name: as what it was called: `docker-credential-NAME` is docker's way to name helpers.
  ///   - arguments: the rest of the command line.
  public init(name: String, arguments: [String]) throws(CredentialFailure) {
    var rest = arguments
    var (issuer, account, agent) = ("", "", String?.none)
    func value(_ option: String) throws(CredentialFailure) -> String? {
      guard let index = rest.firstIndex(of: option) else { return nil }
      guard index + 1 < rest.count else { throw CredentialFailure("\(option) needs a value; see signet-credential(1).") }
      defer { rest.removeSubrange(index...index + 1) }
      return rest[index + 1]
    }
    issuer = try value("--issuer") ?? ""
    account = try value("--account") ?? ""
    agent = try value("--agent")
    if let last = name.split(separator: "/").last, last.hasPrefix("docker-credential-") {
      form = .docker
    } else {
      guard !rest.isEmpty, let named = Form(rawValue: rest.removeFirst()) else {
        throw CredentialFailure("say for which program: git, docker or kubectl; see signet-credential(1).")
      }
      form = named
    }
    words = rest
    (self.issuer, self.account, self.agent) = (issuer, account, agent)
  }

  /// What to write to standard output, for what came from standard input; empty where there is nothing to say.
  public func answer(to input: String) throws(CredentialFailure) -> String {
    switch form {
    case .git: try git(input)
    case .docker: try docker(input)
    case .kubectl: try kubectl()
    }
  }

  // MARK: - forms

  /// gitcredentials(7): lines of `key=value`. `store` and `erase` are for helpers that keep something.
  private func git(_ input: String) throws(CredentialFailure) -> String {
    guard words.first == "get" else { return "" }
    let wanted = Dictionary(
      input.split(separator: "\n").compactMap { line -> (String, String)? in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { $1 })
    // A token goes over TLS only.
    guard wanted["protocol"] == "https" else { return "" }
    let token = try token()
    var lines = "username=\(wanted["username"] ?? "oauth2")\npassword=\(token.accessToken)\n"
    if let expiration = token.expiration { lines += "password_expiry_utc=\(Int(expiration))\n" }
    return lines
  }

  /// The protocol of docker-credential-helpers.
  private func docker(_ input: String) throws(CredentialFailure) -> String {
    switch words.first {
    case "get":
      let server = input.trimmed
      let token = try token(for: server)
      return try json(["ServerURL": server, "Username": "<token>", "Secret": token.accessToken])
    case "list": return "{}\n"
    // Nothing is kept, so there is nothing to store and to erase.
    case "store", "erase": return ""
    default: throw CredentialFailure("docker asks for get, store, erase or list.")
    }
  }

  /// A client-go credential plugin: an ExecCredential.
  private func kubectl() throws(CredentialFailure) -> String {
    struct Status: Encodable {
      var token: String
      var expirationTimestamp: String?
    }
    struct ExecCredential: Encodable {
      var apiVersion = "client.authentication.k8s.io/v1"
      var kind = "ExecCredential"
      var status: Status
    }
    let token = try token()
    let expiration = token.expiration.map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
    return try json(ExecCredential(status: Status(token: token.accessToken, expirationTimestamp: expiration)))
  }

  private func json(_ value: some Encodable) throws(CredentialFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { throw CredentialFailure("the token cannot be written as JSON.") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  // MARK: - the token

  /// The provider for a server: the one that was named, or the one that the user's configuration names for it.
  private func token(for server: String = "") throws(CredentialFailure) -> AgentToken {
    var issuer = issuer
    if issuer.isEmpty { issuer = try CredentialConfiguration.issuer(of: server) ?? "" }
    guard !issuer.isEmpty else {
      throw CredentialFailure("say whose token by --issuer, or in \(CredentialConfiguration.path); see signet-credential(1).")
    }
    guard let path = agent ?? AgentSocket.standardPath else { throw CredentialFailure("there is no session of yours: log in.") }
    do throws(AgentConnection.Failure) {
      let connection = try AgentConnection(path: path)
      try connection.send(AgentRequest(.token, session: try session(), issuer: issuer, account: account, isQuiet: true))
      switch try connection.receive(AgentReply.self) {
      case .token(let token): return token
      case .failed(let failure): throw CredentialFailure(failure.message)
      default: throw CredentialFailure("signet-agent gave an answer that is none.")
      }
    } catch let failure as CredentialFailure { throw failure } catch {
      throw CredentialFailure("signet-agent is not running: signet login \(issuer)")
    }
  }

  private func session() throws(CredentialFailure) -> String {
    guard var digits = SecretBytes(capacity: 256) else { throw CredentialFailure("there is no memory.") }
    do throws(SessionToken.Failure) { try SessionToken.read(into: &digits) } catch {
      throw CredentialFailure("this is no session that Signet opened, or it has ended: log in.")
    }
    return String(decoding: (0..<digits.count).map { digits.span[$0] }, as: UTF8.self)
  }
}

extension String {
  fileprivate var trimmed: String { String(split(whereSeparator: \.isNewline).first ?? "") }
}
