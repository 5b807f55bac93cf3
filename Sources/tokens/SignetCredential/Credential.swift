import SignetAgentProtocol
import SignetJSON
import SignetLanguage

/// Why there is no credential; `message` goes to standard error.
struct CredentialFailure: Error, Equatable, Sendable {
  var message: String

  init(_ message: String) { self.message = message }
}

/// One run of signet-credential.
///
/// A token goes to a server that the user has named for it, and to no other: by `--server`, or in the configuration. Only
/// kubectl's and AWS's servers are not asked for, since their own configuration names a helper for each.
struct Credential: Sendable {
  /// Which program asks.
  enum Form: String, Sendable {
    case git, docker, kubectl, aws

    /// Whether it says to which server the token goes.
    var namesServer: Bool { self == .git || self == .docker }
  }

  let form: Form
  let words: [String]
  let issuer: String
  let account: String
  let server: ServerName?
  let agent: String?
  let wantsIDToken: Bool
  let role: CloudRole?

  /// - Parameters:
  ///   - name: as what it was called: `docker-credential-NAME` is docker's way to name helpers.
  ///   - arguments: the rest of the command line.
  init(name: String, arguments: [String]) throws(CredentialFailure) {
    var rest = arguments
    func value(_ option: String) throws(CredentialFailure) -> String? {
      guard let index = rest.firstIndex(of: option) else { return nil }
      guard index + 1 < rest.count else { throw CredentialFailure(say("\(option) needs a value; see signet-credential(1).")) }
      defer { rest.removeSubrange(index...index + 1) }
      return rest[index + 1]
    }
    issuer = try value("--issuer") ?? ""
    account = try value("--account") ?? ""
    server = try value("--server").map { text throws(CredentialFailure) in
      guard let server = ServerName(address: text) else {
        throw CredentialFailure(say("\(text) is no server: write HOST or HOST:PORT."))
      }
      return server
    }
    agent = try value("--agent")
    role = try Credential.role(value)
    wantsIDToken = rest.contains("--id-token")
    rest.removeAll { $0 == "--id-token" }
    if let last = name.split(separator: "/").last, last.hasPrefix("docker-credential-") {
      form = .docker
    } else {
      guard !rest.isEmpty, let named = Form(rawValue: rest.removeFirst()) else {
        throw CredentialFailure(say("say for which program: git, docker, kubectl or aws; see signet-credential(1)."))
      }
      form = named
    }
    words = rest
    if let odd = rest.first(where: { $0.hasPrefix("-") }) {
      throw CredentialFailure(say("\(odd) is no option of signet-credential; see signet-credential(1)."))
    }
    guard form.namesServer || server == nil else {
      throw CredentialFailure(say("--server is for git and docker; the configuration of \(form) names a helper for each server."))
    }
    guard form.namesServer || !issuer.isEmpty else {
      throw CredentialFailure(say("the configuration of \(form) says whose token, by --issuer; see signet-credential(1)."))
    }
    guard (form == .aws) == (role != nil) else {
      throw CredentialFailure(say("--role, --role-session, --endpoint and --duration go with aws, which needs --role."))
    }
    guard form == .kubectl || !wantsIDToken else { throw CredentialFailure(say("--id-token is for kubectl.")) }
    guard account.isEmpty || !issuer.isEmpty else { throw CredentialFailure(say("--account goes with --issuer.")) }
    guard server == nil || !issuer.isEmpty else { throw CredentialFailure(say("--server goes with --issuer.")) }
  }

  /// Whether the asking program says something first.
  var readsInput: Bool { form.namesServer }
  /// docker reads and shows what a helper that fails writes to standard output.
  var failsOnOutput: Bool { form == .docker }

  /// What to write to standard output, for what came from standard input; empty where there is nothing to say.
  func answer(to input: String) throws(CredentialFailure) -> String {
    switch form {
    case .git: try git(input)
    case .docker: try docker(input)
    case .kubectl: try kubectl()
    case .aws: try aws()
    }
  }

  func line(_ object: JSONObject) -> String { String(decoding: object.encoded, as: UTF8.self) + "\n" }
}
