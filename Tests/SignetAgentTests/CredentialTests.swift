import Foundation
import Glibc
import SignetTestKit
import Testing

/// git, docker and kubectl ask signet-credential, which asks the agent.
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct CredentialTests {
  private let world: AgentWorld
  private let issuer: String
  private let helper: String

  init() throws {
    world = try AgentWorld()
    issuer = try world.issuer
    helper = try ReaderChannel.program("signet-credential")
    try world.openSession()
    guard try world.bind().status == 0 else { throw TestKitError("not bound") }
  }

  private func token() throws -> String { String(try world.run("token", "--issuer", issuer).screen.split(separator: "\r\n")[0]) }

  private func configure(_ text: String) throws { try world.scene.daemon.write("signet/credentials.conf", text) }

  private func git(_ options: String, host: String, scheme: String = "https") throws -> (status: Int32, text: String) {
    try world.shell(
      "printf 'protocol=\(scheme)\\nhost=\(host)\\n\\n' | git -c credential.helper='!\(helper) git \(options)' credential fill")
  }

  @Test func `git gets the token for the server that was named, and for no other`() throws {
    let options = "--server git.example:8443 --issuer \(issuer)"
    let named = try git(options, host: "git.example:8443")
    let token = try token()
    #expect(named.status == 0 && named.text.contains("password=\(token)\n"), "\(named.text)")
    #expect(named.text.contains("username=oauth2\n"))
    for host in [
      "git.example", "evil.example", "git.example:8443.evil.example", "git.example:8443/.evil.example",
      "git.example:8443%2f.evil.example",
      "https://git.example:8443",
    ] {
      let other = try git(options, host: host)
      #expect(other.status != 0 && !other.text.contains("password="), "\(other.text)")
    }
    let plain = try git(options, host: "git.example:8443", scheme: "http")
    #expect(plain.status != 0 && !plain.text.contains("password="), "\(plain.text)")
  }

  @Test func `the servers of the configuration are found by each program`() throws {
    mkdir("\(world.scene.daemon.folder)/signet", 0o700)
    try configure("# servers\ngit.example \(issuer)\nhttps://registry.example/v2/ \(issuer)\n")
    let found = try git("", host: "git.example")
    let token = try token()
    #expect(found.status == 0 && found.text.contains("password=\(token)\n"), "\(found.text)")
    symlink(helper, "\(world.scene.daemon.folder)/docker-credential-signet")
    let docker = try world.shell("echo https://registry.example | docker-credential-signet get")
    #expect(
      docker.status == 0
        && docker.text == #"{"Secret":"\#(token)","ServerURL":"https://registry.example","Username":"oauth2"}"# + "\n")
    for server in [
      "http://registry.example", "https://evil.example", "registry.example/.evil.example",
      "https://registry.example:443@evil.example",
      "https://registry.example%2f.evil.example",
    ] {
      let other = try world.shell("echo \(server) | docker-credential-signet get")
      #expect(other.status == 1 && other.text == "credentials not found in native keychain\n")
    }
  }

  @Test func `kubectl gets an ExecCredential with the token's end`() throws {
    let answer = try world.shell("\(helper) kubectl --issuer \(issuer)")
    let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
    let status = object?["status"] as? [String: String]
    #expect(object?["kind"] as? String == "ExecCredential")
    #expect(object?["apiVersion"] as? String == "client.authentication.k8s.io/v1")
    #expect(status?["token"] == (try token()))
    #expect(status?["expirationTimestamp"]?.hasSuffix("Z") == true)
  }

  @Test func `after logout each program gets nothing, and is told why`() throws {
    try world.closeSession()
    // It ends with the last session; until then it says itself that there is none.
    #expect(try world.agent.waitForExit() == 0)
    let git = try git("--server git.example --issuer \(issuer)", host: "git.example")
    #expect(git.status != 0 && !git.text.contains("password=") && git.text.contains("is not running"), "\(git.text)")
  }

  @Test func `options that are wrong are refused`() throws {
    for words in [
      "", "svn", "git --isuer x get", "git --server a get", "git --account a get", "kubectl --server a --issuer b",
      "git --issuer", "git --server https://git.example:x/ --issuer https://id.example",
    ] {
      let answer = try world.shell("\(helper) \(words) < /dev/null")
      #expect(answer.status == 1 && answer.text.hasPrefix("signet-credential: "), "\(words): \(answer.text)")
    }
  }
}
