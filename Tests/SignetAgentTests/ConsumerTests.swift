import Foundation
import Glibc
import SignetTestKit
import Testing

/// Real git, skopeo, curl, kubectl and aws at servers that take the provider's tokens: in the session they get in, after it they do not.
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct ConsumerTests {
  static let kubectl = ["/usr/bin/kubectl", "/usr/local/bin/kubectl"].first { (path: String) in access(path, X_OK) == 0 }

  private let world: AgentWorld
  private let folder: String
  private let helper: String
  private let url: String
  private let host: String
  private let authority: String

  init() throws {
    world = try AgentWorld(only: "django,services")
    folder = world.scene.daemon.folder
    helper = try ReaderChannel.program("signet-credential")
    (url, host) = (try world.rig.fact("services", "url"), try world.rig.fact("services", "host"))
    authority = try world.rig.authority
    try world.openSession()
    let bound = try world.bind()
    guard bound.status == 0 else { throw TestKitError("not bound: \(bound.screen)") }
    mkdir("\(folder)/signet", 0o700)
    try world.scene.daemon.write("signet/credentials.conf", "\(host) \(try world.issuer)\n")
    symlink(helper, "\(folder)/docker-credential-signet")
  }

  /// In the session the command does what it is to do; after logout it does not.
  private func expect(_ command: String, shows text: String) throws {
    let inside = try world.shell(command)
    #expect(inside.status == 0 && inside.text.contains(text), "\(inside.text)")
    try world.closeSession()
    let outside = try world.shell(command)
    #expect(outside.status != 0 && !outside.text.contains(text), "\(outside.text)")
  }

  @Test func `git clones over HTTPS`() throws {
    try expect(
      """
      rm -rf clone && git -c credential.helper='!\(helper) git' -c http.sslCAInfo=\(authority) clone -q \(url)/git/project.git \
      \(folder)/clone && git -C \(folder)/clone log --format=%s && rm -rf \(folder)/clone
      """, shows: "begin")
  }

  @Test func `skopeo lists a registry's tags by docker's helper`() throws {
    try world.scene.daemon.write("auth.json", #"{"credHelpers":{"\#(host)":"signet"}}"#)
    mkdir("\(folder)/certs", 0o700)
    symlink(authority, "\(folder)/certs/ca.crt")
    try expect(
      "skopeo list-tags --authfile \(folder)/auth.json --cert-dir \(folder)/certs docker://\(host)/project", shows: "newest")
  }

  @Test func `curl gets a registry's token by the provider's`() throws {
    try expect(
      """
      set -e; token=$(\(try ReaderChannel.program("signet")) token --issuer \(try world.issuer))
      printf 'user = "oauth2:%s"' "$token" | curl -sSf --cacert \(authority) -K - \(url)/token
      """, shows: #""token""#)
  }

  @Test func `curl sends the header that the token is printed as`() throws {
    try expect(
      """
      set -e; header=$(\(try ReaderChannel.program("signet")) token --issuer \(try world.issuer) --header)
      printf 'header = "%s"' "$header" | curl -sSf --cacert \(authority) -K - \(url)/echo
      """, shows: #"{"user": "1"}"#)
  }

  @Test func `aws has the keys of a role`() throws {
    try world.scene.daemon.write(
      "aws",
      """
      [default]
      region = nowhere-1
      ca_bundle = \(authority)
      credential_process = \(helper) aws --issuer \(try world.issuer) --role \(ConsumerTests.role) --endpoint \(url)/cloud
      """)
    try expect(
      "AWS_CONFIG_FILE=\(folder)/aws \(aws) sts get-caller-identity --endpoint-url \(url)/cloud", shows: "project/1/signet")
  }

  @Test func `a role that the cloud gives to others is refused in its words`() throws {
    let role = "--role \(ConsumerTests.role)s --endpoint \(url)/cloud"
    let answer = try world.shell("\(helper) aws --issuer \(try world.issuer) \(role)")
    #expect(answer.status == 1 && answer.text.contains("AccessDenied"), "\(answer.text)")
  }

  private static let role = "arn:aws:iam::123456789012:role/project"
  private var aws: String { "\(ProviderRig.environment ?? "")/bin/aws" }

  @Test(.enabled(if: ConsumerTests.kubectl != nil, "needs kubectl"), arguments: ["", "--id-token"])
  func `kubectl asks a server over TLS`(kind: String) throws {
    try world.scene.daemon.write(
      "kubeconfig",
      """
      apiVersion: v1
      kind: Config
      current-context: test
      contexts: [{name: test, context: {cluster: test, user: test}}]
      clusters: [{name: test, cluster: {server: "\(url)", certificate-authority: "\(authority)"}}]
      users:
      - name: test
        user:
          exec:
            apiVersion: client.authentication.k8s.io/v1beta1
            command: \(helper)
            args: [kubectl, --issuer, "\(try world.issuer)"\(kind.isEmpty ? "" : ", \(kind)")]
            interactiveMode: Never
      """)
    try expect(
      "\(ConsumerTests.kubectl ?? "") --kubeconfig \(folder)/kubeconfig --cache-dir \(folder)/cache get --raw \(kind.isEmpty ? "/echo" : "/identity")",
      shows: #"{"user": "1"}"#)
  }
}
