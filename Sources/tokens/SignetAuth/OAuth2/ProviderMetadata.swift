import SignetJWT

/// What a provider says of itself (RFC 8414; OpenID Connect Discovery 1.0).
public struct ProviderMetadata: Sendable {
  public let issuer: String
  public let token: Endpoint
  public let authorization: Endpoint?
  public let deviceAuthorization: Endpoint?
  public let revocation: Endpoint?
  public let registration: Endpoint?
  public let keys: Endpoint?
  /// Whether the answer of the authorization endpoint names the issuer (RFC 9207).
  public let namesIssuer: Bool
  /// `code_challenge_methods_supported`; `nil` where it does not say.
  public let challengeMethods: [String]?
  /// `id_token_signing_alg_values_supported`, as far as they are known here.
  public let signingAlgorithms: Set<SignatureAlgorithm>
  /// `dpop_signing_alg_values_supported`; empty where it does not say.
  public let proofAlgorithms: [String]

  /// - Throws: `AuthError.oauth2` with `issuerMismatch` where it is another's, `AuthError.invalidResponse`.
  init(_ object: JSONObject, issuer: String, host: String, unlisted: UnlistedEndpoints) throws(AuthError) {
    // RFC 8414, 3.3: identical. Otherwise one provider could speak for another.
    guard object["issuer"]?.string?.hasSameBytes(as: issuer) == true else { throw .oauth2(host: host, .issuerMismatch) }
    self.issuer = issuer
    let reader = EndpointReader(object: object, isSecure: !issuer.hasPrefix("http://"), host: host)
    guard let token = try reader.endpoint("token_endpoint") else {
      throw .invalidResponse(host: host, what: "no token endpoint")
    }
    self.token = token
    authorization = try reader.endpoint("authorization_endpoint")
    deviceAuthorization = try reader.endpoint("device_authorization_endpoint") ?? unlisted.deviceAuthorization
    revocation = try reader.endpoint("revocation_endpoint") ?? unlisted.revocation
    registration = try reader.endpoint("registration_endpoint") ?? unlisted.registration
    keys = try reader.endpoint("jwks_uri")
    namesIssuer = object["authorization_response_iss_parameter_supported"]?.bool == true
    challengeMethods = object["code_challenge_methods_supported"]?.strings
    let algorithms = object["id_token_signing_alg_values_supported"]?.strings
    // What it does not say is RS256 (OpenID Connect Core 1.0, 2).
    signingAlgorithms = algorithms.map { Set($0.compactMap(SignatureAlgorithm.init(rawValue:))) } ?? [.rs256]
    proofAlgorithms = object["dpop_signing_alg_values_supported"]?.strings ?? []
  }

  /// Where the metadata of an issuer may be: as OpenID Connect has it, then as RFC 8414.
  static func locations(of issuer: String) throws(NetworkError) -> [Endpoint] {
    let base = try Endpoint(issuer)
    guard base.query == nil else { throw .invalidURL(issuer) }
    let path = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
    return ["\(path)/.well-known/openid-configuration", "/.well-known/oauth-authorization-server\(path)"].map {
      Endpoint(origin: base.origin, path: $0, query: nil)
    }
  }
}

private struct EndpointReader {
  let object: JSONObject
  let isSecure: Bool
  let host: String

  /// An endpoint; `nil` where there is none. A provider on TLS has none without.
  func endpoint(_ name: String) throws(AuthError) -> Endpoint? {
    guard let value = object[name], value != .null else { return nil }
    guard let text = value.string, let endpoint = try? Endpoint(text), endpoint.origin.isSecure || !isSecure else {
      throw .invalidResponse(host: host, what: "its \(name) is no URL that can be used")
    }
    return endpoint
  }
}
