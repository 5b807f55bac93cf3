import SignetAgentProtocol
import SignetBytes
import SignetTokenServices

/// Asks a cloud's token service for the keys of a role, by an ID token: `AssumeRoleWithWebIdentity` of AWS's Security Token Service,
/// whose form others have taken over.
struct CloudTokenService: Sendable {
  let network: any NetworkClient

  func keys(of role: CloudRole, for idToken: String) async throws -> RoleKeys {
    let endpoint = try Endpoint(role.endpoint)
    guard CloudTokenService.isRole(role.name), CloudTokenService.isSessionName(role.sessionName),
      CloudRole.durations.contains(role.duration)
    else { throw AgentFailure(.refused, AgentText.noRole) }
    let request = NetworkRequest.form(
      endpoint,
      [
        ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role.name),
        ("RoleSessionName", role.sessionName), ("WebIdentityToken", idToken), ("DurationSeconds", "\(role.duration)"),
      ], accept: "text/xml")
    let response = try await network.send(request)
    let answer = CloudAnswer(response.body)
    guard response.isSuccess else {
      throw AgentFailure(.refused, AgentText.roleRefused(endpoint.host, answer?.plainText("Code") ?? "status \(response.status)"))
    }
    guard let keys = answer?.keys else {
      throw AgentFailure(.refused, AuthError.invalidResponse(host: endpoint.host, what: "no keys of a role").description)
    }
    return keys
  }

  /// An ARN: `arn:` and what only the service understands.
  private static func isRole(_ name: String) -> Bool {
    name.hasPrefix("arn:") && (20...2048).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func isSessionName(_ name: String) -> Bool {
    (2...64).contains(name.utf8.count)
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+=,.@-".contains($0)) }
  }
}

/// The answer, of which only elements without anything inside but plain text are wanted. It is not read as XML at large, with all that
/// XML can do to its reader: an element that is there twice, or whose text needs more than reading, is none.
struct CloudAnswer {
  private static let limit = 1 << 16
  private let text: String

  init?(_ bytes: [UInt8]) {
    guard bytes.count <= CloudAnswer.limit, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    self.text = text
  }

  var keys: RoleKeys? {
    guard let id = plainText("AccessKeyId"), let secret = plainText("SecretAccessKey"), let token = plainText("SessionToken"),
      let expiration = plainText("Expiration")
    else { return nil }
    return RoleKeys(accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: expiration)
  }

  /// The text of the only element of this name: letters, digits and the signs of base64 and of times.
  func plainText(_ name: String) -> String? {
    let (begin, end) = ("<\(name)>", "</\(name)>")
    guard let opened = text.place(of: begin) else { return nil }
    let rest = text[opened.upperBound...]
    guard let closed = rest.place(of: end), !rest.includes(begin) else { return nil }
    let content = rest[..<closed.lowerBound]
    let isPlain = content.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=_.:-".contains($0)) }
    return isPlain && !content.isEmpty ? String(content) : nil
  }
}
