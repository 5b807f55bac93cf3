import Glibc
import SignetJSON

extension Credential {
  /// A client-go credential plugin: an ExecCredential.
  func kubectl() throws(CredentialFailure) -> String {
    let token = try token(TokenSource(issuer: issuer, account: account), wantsIDToken ? .id : .access)
    var status: JSONObject = ["token": .string(token.text)]
    status["expirationTimestamp"] = token.expiration.flatMap(Credential.timestamp).map { .string($0) }
    return line(["apiVersion": .string(wantedVersion), "kind": "ExecCredential", "status": .object(status)])
  }

  /// Seconds since 1970 as Kubernetes writes a time (RFC 3339); `nil` for what is none.
  static func timestamp(_ seconds: Double) -> String? {
    guard var time = time_t(exactly: seconds.rounded(.down)) else { return nil }
    var (parts, text) = (unsafe tm(), [CChar](repeating: 0, count: 64))
    guard unsafe gmtime_r(&time, &parts) != nil else { return nil }
    let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The form that kubectl asks for: before 1.22 it knows `v1beta1` only.
  private var wantedVersion: String {
    let asked = unsafe getenv("KUBERNETES_EXEC_INFO").map { unsafe String(cString: $0) } ?? ""
    let beta = "client.authentication.k8s.io/v1beta1"
    let version = (try? JSONReader.object(asked.utf8, limit: 1 << 20))?["apiVersion"]?.string
    return version == beta ? beta : "client.authentication.k8s.io/v1"
  }
}
