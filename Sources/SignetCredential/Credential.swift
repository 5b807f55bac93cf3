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
///
/// A token goes to a server that the user has named for it, and to no other: by `--server`, or in the configuration. Only
/// kubectl's servers are not asked for, since its own configuration names a helper for each.
public struct Credential: Sendable {
  /// Which program asks.
  enum Form: String, Sendable { case git, docker, kubectl }

  let form: Form
  let words: [String]
  let issuer: String
  let account: String
  let server: String?
  let agent: String?

  /// - Parameters:
  ///   - name: as what it was called: `docker-credential-NAME` is docker's way to name helpers.
  ///   - arguments: the rest of the command line.
  public init(name: String, arguments: [String]) throws(CredentialFailure) {
    var rest = arguments
    func value(_ option: String) throws(CredentialFailure) -> String? {
      guard let index = rest.firstIndex(of: option) else { return nil }
      guard index + 1 < rest.count else { throw CredentialFailure("\(option) needs a value; see signet-credential(1).") }
      defer { rest.removeSubrange(index...index + 1) }
      return rest[index + 1]
    }
    issuer = try value("--issuer") ?? ""
    account = try value("--account") ?? ""
    server = try value("--server")
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
    if let odd = rest.first(where: { $0.hasPrefix("-") }) {
      throw CredentialFailure("\(odd) is no option of signet-credential; see signet-credential(1).")
    }
    guard form != .kubectl || server == nil else {
      throw CredentialFailure("--server is for git and docker; kubectl's own configuration names a helper for each server.")
    }
    guard account.isEmpty || !issuer.isEmpty else { throw CredentialFailure("--account goes with --issuer.") }
    guard server == nil || !issuer.isEmpty else { throw CredentialFailure("--server goes with --issuer.") }
  }

  /// Whether the asking program says something first.
  public var readsInput: Bool { form != .kubectl }
  /// docker reads and shows what a helper that fails writes to standard output.
  public var failsOnOutput: Bool { form == .docker }

  /// What to write to standard output, for what came from standard input; empty where there is nothing to say.
  public func answer(to input: String) throws(CredentialFailure) -> String {
    switch form {
    case .git: try git(input)
    case .docker: try docker(input)
    case .kubectl: try kubectl()
    }
  }

  /// The name beside a token that stands in a password's place, as GitLab, Gitea and others take it. docker would send one with
  /// the name `<token>` as a refresh token.
  private static let user = "oauth2"

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
    guard wanted["protocol"] == "https", let host = wanted["host"], let source = try source(for: host) else { return "" }
    let token = try token(source)
    var lines = "username=\(wanted["username"] ?? Credential.user)\npassword=\(token.accessToken)\n"
    if let expiration = token.expiration { lines += "password_expiry_utc=\(Int(expiration))\n" }
    return lines
  }

  /// The protocol of docker-credential-helpers.
  private func docker(_ input: String) throws(CredentialFailure) -> String {
    switch words.first {
    case "get":
      let server = input.trimmed
      // As docker's own helpers say it: docker then goes on without.
      guard let source = try source(for: server) else { throw CredentialFailure("credentials not found in native keychain") }
      let token = try token(source)
      return try json(["ServerURL": server, "Username": Credential.user, "Secret": token.accessToken])
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
      var apiVersion: String
      var kind = "ExecCredential"
      var status: Status
    }
    guard !issuer.isEmpty else {
      throw CredentialFailure("kubectl's own configuration says whose token, by --issuer; see signet-credential(1).")
    }
    let token = try token(TokenSource(issuer: issuer, account: account))
    let expiration = token.expiration.map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
    let status = Status(token: token.accessToken, expirationTimestamp: expiration)
    return try json(ExecCredential(apiVersion: wantedVersion, status: status))
  }

  /// The form that kubectl asks for: before 1.22 it knows `v1beta1` only.
  private var wantedVersion: String {
    struct Information: Decodable { var apiVersion: String }
    let asked = unsafe getenv("KUBERNETES_EXEC_INFO").map { unsafe Data(String(cString: $0).utf8) }
    let beta = "client.authentication.k8s.io/v1beta1"
    let isBeta = asked.flatMap { try? JSONDecoder().decode(Information.self, from: $0) }?.apiVersion == beta
    return isBeta ? beta : "client.authentication.k8s.io/v1"
  }

  private func json(_ value: some Encodable) throws(CredentialFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { throw CredentialFailure("the token cannot be written as JSON.") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  // MARK: - the token

  /// Whose token a server gets; `nil` where it gets none.
  private func source(for address: String) throws(CredentialFailure) -> TokenSource? {
    guard let host = ServerName(address) else { return nil }
    if let server {
      guard ServerName(server) == host else { return nil }
      return TokenSource(issuer: issuer, account: account)
    }
    return try CredentialConfiguration.read().first { row in
      row.server == host && (issuer.isEmpty || row.source.issuer == issuer && row.source.account == account)
    }?.source
  }

  private func token(_ source: TokenSource) throws(CredentialFailure) -> AgentToken {
    guard let path = agent ?? AgentSocket.standardPath else { throw CredentialFailure("there is no session of yours: log in.") }
    let request = AgentRequest(
      .token, session: try session(), issuer: source.issuer, account: source.account)
    let reply: AgentReply?
    do throws(AgentConnection.Failure) {
      let connection = try AgentConnection(path: path)
      try connection.send(request)
      reply = try connection.receive(AgentReply.self)
    } catch {
      throw CredentialFailure("signet-agent is not running: signet login \(source.issuer)")
    }
    switch reply {
    case .token(let token): return token
    case .failed(let failure): throw CredentialFailure(failure.message)
    default: throw CredentialFailure("signet-agent gave an answer that is none.")
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
