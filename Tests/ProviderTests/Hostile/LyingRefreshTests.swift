import SignetAuthTestKit
import SignetJWT
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// A provider that is right in all but one thing, at a refresh, and in the grant for devices.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct LyingRefreshTests {
  private let providers: Providers

  init() throws { providers = try Providers.shared }

  private func signIn(_ misbehaviour: String, label: String) throws -> OAuth2SignIn {
    let issuer = try HostileSignIn(providers, misbehaviour, label: label).issuer
    return try OAuth2SignIn(providers, issuer: issuer, clientID: "app").with {
      $0.storage = try .holding("kept", user: "somebody", for: issuer)
    }
  }

  static let taken = ["none", "no-id-token", "no-refresh-token", "skewed", "wide-scope"]

  @Test(arguments: taken) func `a refresh that is right in what it must be is taken`(name: String) async throws {
    let signIn = try signIn(name, label: "taken")
    let result = try await signIn.service.login(credentials: .stored)
    #expect(result.user.id == "somebody" && result.isStored)
    #expect((signIn.storage.kept == "kept") == (name == "no-refresh-token"))
  }

  static let refused: [Row] = [
    .oauth2("invalid_client", .code("invalid_client")), .oauth2("invalid_token", .code("invalid_token")),
    .oauth2("token-type", .unsupported("bearer tokens")), .invalid("no-access-token", "no access token"),
    .invalid("negative-lifetime", "a token that has expired already"), .oauth2("mix-up", .issuerMismatch),
    .token("wrong-issuer", .unexpectedClaim("iss")), .token("wrong-audience", .unexpectedClaim("aud")),
    .token("wrong-hash", .unexpectedClaim("at_hash")), .token("expired", .expired), .token("future", .notYetValid),
    .token("alg-none", .unexpectedAlgorithm("none")), .token("hs256", .unexpectedAlgorithm("HS256")),
    .token("wrong-key", .invalidSignature), .token("tampered", .invalidSignature),
  ]

  @Test(arguments: refused) func `a refresh that is wrong is not taken, and ends nothing`(row: Row) async throws {
    let signIn = try signIn(row.name, label: "refused")
    let service = signIn.service
    #expect(try await failure { _ = try await service.login(credentials: .stored) } == row.error)
    // Beside one that came with the wrong answer.
    #expect(signIn.storage.candidates.contains("kept") && !service.isAuthenticated)
  }

  @Test func `a refresh token that the provider refuses twice is erased`() async throws {
    let signIn = try signIn("invalid_grant", label: "erased")
    #expect(try await signIn.failure(.stored) == .loginRequired(.refusedByServer))
    #expect(signIn.storage.kept == "kept")
    #expect(try await signIn.failure(.stored) == .loginRequired(.refusedByServer))
    #expect(signIn.storage.tokens.isEmpty)
  }

  @Test func `tokens of somebody else are refused, and end the sign-in`() async throws {
    let signIn = try signIn("other-subject", label: "other")
    #expect(try await signIn.failure(.stored) == .invalidResponse(host: signIn.client.issuer, what: "tokens of another user"))
    #expect(signIn.storage.tokens.isEmpty)
  }

  /// The provider has rotated the token then, and takes the old one for stolen.
  @Test func `keys that cannot be had cost no refresh token`() async throws {
    let provider = try HostileSignIn(providers, "failing@jwks", label: "keys")
    let signIn = try signIn("failing@jwks", label: "keys")
    #expect(try await signIn.failure(.stored) == .server(host: HostileSignIn.host, status: 500))
    let asked = try await provider.count("POST", "token")
    #expect(asked == 0 || signIn.storage.kept != "kept")
  }

  // MARK: - devices

  static let devices: [Row] = [
    Row("none"), Row("device-slow"), .oauth2("device-denied", .code("access_denied")), .oauth2("device-expired", .timedOut),
    .oauth2("device-pending", .timedOut), .invalid("device-escape", "no user code"),
    .token("wrong-audience", .unexpectedClaim("aud")), .invalid("no-id-token", "no ID token"),
    .invalid("garbage@device_authorization", "no JSON object"), .status("failing@device_authorization", 500),
    .status("redirect-307@device_authorization", 307),
  ]

  @Test(arguments: devices) func `a device takes what is right, and shows no escape sequences`(row: Row) async throws {
    let time = WrongTime()
    let issuer = try HostileSignIn(providers, row.name, label: "device").issuer
    let signIn = try OAuth2SignIn(providers, issuer: issuer, clientID: "app").with {
      // The provider's tokens are of now: only who waits in vain needs another time.
      if row.name == "device-pending" { $0.time = time }
      $0.clock = row.name == "device-pending" ? HurryingClock(time) : ImpatientClock()
      $0.showDevicePrompt = { #expect($0.userCode == "ABCD-EFGH") }
    }
    #expect(try await signIn.failure(.device) == row.error)
    #expect(signIn.storage.tokens.isEmpty == (row.error != nil))
  }

  @Test func `a device that is told to slow down waits five seconds more`() async throws {
    let clock = ImpatientClock()
    let issuer = try HostileSignIn(providers, "device-slow", label: "five").issuer
    let signIn = try OAuth2SignIn(providers, issuer: issuer, clientID: "app").with {
      $0.clock = clock
      $0.showDevicePrompt = { _ in }
    }
    #expect(try await signIn.failure(.device) == nil)
    #expect(clock.waits == [.seconds(1), .seconds(6)])
  }
}
