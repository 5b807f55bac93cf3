import SignetAuthTestKit
import SignetJWT
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// Servers that must not be trusted, and keys that servers are known by.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct TrustTests {
  private let providers: Providers

  init() throws { providers = try Providers.shared }

  private func requests(_ words: String) async throws -> Int {
    try await providers.count(words, at: providers.endpoint("hostile", "hostile", path: "/counts"))
  }

  static let untrusted = ["wrongName", "expired", "unknownAuthority"]

  @Test(arguments: untrusted) func `nothing is sent to a server whose certificate is not valid`(listener: String) async throws {
    let distrusted = AuthError.network(.notTrusted(host: "localhost", reason: ""))
    let issuer = try providers.rig.fact("hostile", listener) + "/none~trust"
    #expect(try await OAuth2SignIn(providers, issuer: issuer, clientID: "app").failure() == distrusted)
    let server = JWTServer(obtain: try Endpoint(issuer + "/jwt/token/"), refresh: try Endpoint(issuer + "/jwt/refresh/"))
    let service = JWTAuthService(server: server, account: "a", storage: MemoryTokenStorage(), client: providers.network)
    let error = try await failure {
      _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    }
    #expect(error == distrusted)
    #expect(try await requests("\(listener) GET /none~trust/.well-known/openid-configuration") == 0)
    #expect(try await requests("\(listener) POST /none~trust/jwt/token/") == 0)
  }

  @Test func `a server of the test's authority is not trusted by the system's roots`() async throws {
    let network = try HTTPNetworkClient(limits: .init(connect: .seconds(60), idle: .seconds(60), total: .seconds(120)))
    let endpoint = try providers.endpoint("hostile", "hostile", path: "/none~roots/x")
    await #expect {
      try await network.send(NetworkRequest(endpoint))
    } throws: { error in
      if case NetworkError.notTrusted = error { true } else { false }
    }
    #expect(try await requests("hostile GET /none~roots/x") == 0)
  }

  private func pin(_ certificate: String) throws -> PublicKeyPin {
    let folder = try providers.rig.authority.split(separator: "/").dropLast().joined(separator: "/")
    let script = """
      openssl x509 -in "$1" -noout -pubkey | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64
      """
    let text = try Program.output(["/bin/sh", "-c", script, "sh", "/\(folder)/\(certificate).pem"])
    return try PublicKeyPin(base64: text.split(separator: "\n").joined())
  }

  private func network(_ pins: PublicKeyPin...) throws -> HTTPNetworkClient {
    try HTTPNetworkClient(
      trust: ServerTrust(additionalRoots: [providers.rig.authority], pins: ["localhost": Set(pins)]),
      limits: .init(connect: .seconds(60), idle: .seconds(60), total: .seconds(120)))
  }

  @Test func `a server is taken by its own key, or by one of several, and by no other`() async throws {
    let (own, other) = (try pin("server"), try pin("other"))
    #expect(own != other)
    let right = try HostileSignIn(providers, "none", label: "pinned")
    #expect(try await right.outcome(network: network(own)).error == nil)
    #expect(try await right.outcome(network: network(other, own)).error == nil)
    let refused = try HostileSignIn(providers, "none", label: "unpinned")
    #expect(try await refused.outcome(network: network(other)).error == .network(.notPinned(host: "localhost")))
    #expect(try await refused.count("GET", ".well-known/openid-configuration") == 0)
  }

  @Test func `a pin is for its host, on every port of it`() async throws {
    let network = try network(pin("other"))
    let (mine, others) = (
      try providers.endpoint("hostile", "hostile", path: "/none~ports/x"),
      try providers.endpoint("hostile", "other", path: "/none~ports/x")
    )
    #expect(try await network.send(NetworkRequest(others)).status == 200)
    await #expect(throws: NetworkError.notPinned(host: "localhost")) { try await network.send(NetworkRequest(mine)) }
    #expect(try await requests("hostile GET /none~ports/x") == 0)
    #expect(try await requests("other GET /none~ports/x") == 1)
  }
}
