import SignetAgentProtocol
import SignetLanguage

/// git and docker, to whom a token is a password.
extension Credential {
  /// The name beside a token that stands in a password's place, as GitLab, Gitea and others take it. docker would send one with
  /// the name `<token>` as a refresh token.
  private static let user = "oauth2"

  /// gitcredentials(7): lines of `key=value`. `store` and `erase` are for helpers that keep something.
  func git(_ input: String) throws(CredentialFailure) -> String {
    guard words.first == "get" else { return "" }
    let wanted = Dictionary(
      input.split(separator: "\n").compactMap { line -> (String, String)? in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { $1 })
    // A token goes over TLS only.
    guard wanted["protocol"] == "https", let host = wanted["host"].flatMap(ServerName.init(host:)),
      let source = try source(for: host)
    else { return "" }
    let token = try token(source)
    var lines = "username=\(wanted["username"] ?? Credential.user)\npassword=\(token.text)\n"
    if let expiration = token.expiration { lines += "password_expiry_utc=\(Int(expiration))\n" }
    return lines
  }

  /// The protocol of docker-credential-helpers.
  func docker(_ input: String) throws(CredentialFailure) -> String {
    switch words.first {
    case "get":
      let server = input.hasSuffix("\n") ? String(input.dropLast()) : input
      // As docker's own helpers say it: docker then goes on without.
      guard let host = ServerName(address: server), let source = try source(for: host) else {
        throw CredentialFailure("credentials not found in native keychain")
      }
      let token = try token(source)
      return line(["ServerURL": .string(server), "Username": .string(Credential.user), "Secret": .string(token.text)])
    case "list": return "{}\n"
    // Nothing is kept, so there is nothing to store and to erase.
    case "store", "erase": return ""
    default: throw CredentialFailure(say("docker asks for get, store, erase or list."))
    }
  }

  /// Whose token a server gets; `nil` where it gets none.
  private func source(for host: ServerName) throws(CredentialFailure) -> TokenSource? {
    if let server {
      guard server == host else { return nil }
      return TokenSource(issuer: issuer, account: account)
    }
    return try CredentialConfiguration.read().first { row in
      row.server == host && (issuer.isEmpty || row.source.issuer == issuer && row.source.account == account)
    }?.source
  }
}
