import FoundationEssentials
import Glibc

extension Credential {
  /// A client-go credential plugin: an ExecCredential.
  func kubectl() throws(CredentialFailure) -> String {
    struct Status: Encodable {
      var token: String
      var expirationTimestamp: String?
    }
    struct ExecCredential: Encodable {
      var apiVersion: String
      var kind = "ExecCredential"
      var status: Status
    }
    let token = try token(TokenSource(issuer: issuer, account: account), wantsIDToken ? .id : .access)
    let expiration = token.expiration.map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
    let status = Status(token: token.text, expirationTimestamp: expiration)
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
}
