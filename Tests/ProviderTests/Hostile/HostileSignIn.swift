import SignetAuthTestKit
import SignetJWT
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// Sign-ins at servers that misbehave as their addresses say: see Tests/Providers/README.md.
struct HostileSignIn {
  static let host = OAuth2SignIn.host

  let providers: Providers
  let issuer: String

  /// - Parameters:
  ///   - misbehaviour: what stands before the endpoint.
  ///   - label: gives a test counts of its own.
  init(_ providers: Providers, _ misbehaviour: String, label: String) throws {
    self.providers = providers
    issuer = try providers.rig.fact("hostile", "hostile") + "/" + misbehaviour + "~" + label
  }

  /// What a sign-in by browser fails with, how the browser's visits were answered, and what is stored then.
  func outcome(
    network: (any NetworkClient)? = nil
  ) async throws -> (error: AuthError?, visits: [Int], storage: MemoryTokenStorage) {
    let patience = Patience()
    let browser = RedirectFollower(providers.network, patience)
    var signIn = try OAuth2SignIn(providers, issuer: issuer, clientID: "app")
    signIn.network = network ?? providers.network
    signIn.browser = browser
    signIn.clock = patience
    let error = try await signIn.failure()
    try await browser.finish()
    return (error, browser.statuses, signIn.storage)
  }

  /// How often one of its addresses was asked.
  func count(_ method: String, _ endpoint: String) async throws -> Int {
    let path = try Endpoint(issuer).path
    return try await providers.count(
      "hostile \(method) \(path)/\(endpoint)", at: providers.endpoint("hostile", "hostile", path: "/counts"))
  }
}

/// A misbehaviour and what comes of it.
struct Row: Sendable, CustomTestStringConvertible {
  let name: String
  /// `nil` where it is taken.
  let error: AuthError?

  init(_ name: String, _ error: AuthError? = nil) {
    self.name = name
    self.error = error
  }

  var testDescription: String { name }

  static func token(_ name: String, _ error: JWTError) -> Row { Row(name, .token(host: HostileSignIn.host, error)) }
  static func oauth2(_ name: String, _ error: OAuth2Error) -> Row { Row(name, .oauth2(host: HostileSignIn.host, error)) }
  static func invalid(_ name: String, _ what: String) -> Row {
    Row(name, .invalidResponse(host: HostileSignIn.host, what: what))
  }
  static func status(_ name: String, _ status: Int) -> Row { Row(name, .server(host: HostileSignIn.host, status: status)) }
  static func tooLarge(_ name: String, _ limit: Int) -> Row {
    Row(name, .network(.tooLarge(host: HostileSignIn.host, limit: limit)))
  }
  static func unreachable(_ name: String) -> Row {
    Row(name, .network(.unreachable(host: HostileSignIn.host, reason: "")))
  }
  static func timedOut(_ name: String) -> Row { Row(name, .network(.timedOut(host: HostileSignIn.host))) }

  /// Whether it has to wait until the client has enough.
  var isOfTime: Bool { error == .network(.timedOut(host: HostileSignIn.host)) }
}
