import SignetAuthTestKit
import SignetJWT
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// A provider whose answers come wrong, by the authorization code flow.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct TransportTests {
  private let providers: Providers

  init() throws { providers = try Providers.shared }

  /// The limits of documents and keys, and of all other answers.
  private static let (small, large) = (256 << 10, 1 << 20)

  static let rows: [Row] = [
    .invalid("garbage@discovery", "no JSON object"), .invalid("garbage@token", "no JSON object"),
    .token("garbage@jwks", .notJSON(.malformed(offset: 0))), .invalid("not-utf8@discovery", "no JSON object"),
    .invalid("not-utf8@token", "no JSON object"), .tooLarge("deep@discovery", small), .tooLarge("deep@jwks", small),
    .invalid("deep@token", "no JSON object"),
    .tooLarge("megabytes@discovery", small), .tooLarge("megabytes@jwks", small), .tooLarge("megabytes@token", large),
    .tooLarge("endless@discovery", small), .tooLarge("endless@jwks", small), .tooLarge("endless@token", large),
    .unreachable("closing@discovery"), .unreachable("closing@jwks"), .unreachable("closing@token"),
    .unreachable("reset@discovery"), .unreachable("reset@jwks"), .unreachable("reset@token"),
    .unreachable("not-http@discovery"), .unreachable("not-http@jwks"), .unreachable("not-http@token"),
    .unreachable("long-header@discovery"), .unreachable("long-header@jwks"), .unreachable("long-header@token"),
    .status("failing@discovery", 500), .status("failing@jwks", 500), .status("failing@token", 500),
    .status("failing-1@token", 500), .status("limited@jwks", 429), .status("limited@token", 429),
    .status("redirect-302@token", 302), .status("redirect-307@token", 307), .status("around-307@token", 307),
    .oauth2("around-302@discovery", .issuerMismatch), Row("around-302@jwks"),
    Row("content-type@discovery"), Row("content-type@jwks"), Row("content-type@token"),
  ]

  @Test(arguments: rows) func `an answer that comes wrong is no sign-in`(row: Row) async throws {
    let (error, _, storage) = try await HostileSignIn(providers, row.name, label: "transport").outcome()
    #expect(error == row.error)
    #expect(storage.tokens.isEmpty == (row.error != nil))
  }

  static let hanging: [Row] = ["discovery", "jwks", "token"].flatMap { [.timedOut("slow@\($0)"), .timedOut("silent@\($0)")] }

  @Test(arguments: hanging) func `an answer that does not come is not waited for without end`(row: Row) async throws {
    let provider = try HostileSignIn(providers, row.name, label: "time")
    let (error, _, storage) = try await provider.outcome(network: providers.network(total: .seconds(6)))
    #expect(error == row.error && storage.tokens.isEmpty)
  }

  @Test(arguments: [("discovery", ".well-known/openid-configuration"), ("jwks", "jwks")])
  func `documents are not followed to another origin`(name: String, path: String) async throws {
    let (error, _, storage) = try await HostileSignIn(providers, "redirect-302@\(name)", label: "origin").outcome()
    let elsewhere = try providers.rig.fact("hostile", "other") + "/none/" + path
    #expect(error == .network(.redirected(host: HostileSignIn.host, to: elsewhere)))
    #expect(storage.tokens.isEmpty)
    let counts = try providers.endpoint("hostile", "hostile", path: "/counts")
    #expect(try await providers.count("other GET /none/\(path)", at: counts) == 0)
  }

  /// It has metadata, and is busy: that is another thing than to have none.
  @Test func `a provider that is asked too often for its metadata is not one that has none`() async throws {
    let error = try await HostileSignIn(providers, "limited@discovery", label: "busy").outcome().error
    #expect(error == .server(host: HostileSignIn.host, status: 429))
  }

  @Test(arguments: ["discovery", "jwks"]) func `what is idempotent is tried again, as the server asks`(name: String) async throws
  {
    let clock = ImpatientClock()
    let provider = try HostileSignIn(providers, "limited-1@\(name)", label: "again")
    let (error, _, storage) = try await provider.outcome(
      network: RetryingNetworkClient(providers.network, clock: clock, jitter: { 0 }))
    #expect(error == nil && !storage.tokens.isEmpty)
    #expect(clock.waits == [.seconds(1)])
  }

  @Test(arguments: ["limited-1", "reset", "failing-1"]) func `a code is redeemed once, whatever comes`(name: String) async throws
  {
    let provider = try HostileSignIn(providers, "\(name)@token", label: "once")
    let network = RetryingNetworkClient(providers.network, clock: ImpatientClock())
    #expect(try await provider.outcome(network: network).error != nil)
    #expect(try await provider.count("POST", "token") == 1)
  }
}
