import SignetJWT

/// A client that a provider has registered (RFC 7591).
public struct ClientRegistration: Sendable {
  public let clientID: String
  /// A secret, where the provider gave one.
  public let clientSecret: Password?
  /// Where the registration can be ended, and by which token (RFC 7592).
  let management: (endpoint: Endpoint, token: String)?

  /// Registers a program on this machine.
  ///
  /// - Parameters:
  ///   - name: what the provider shows to the owner.
  ///   - key: for `private_key_jwt`; `nil` for a public client.
  ///   - isForDevice: whether it signs in on another device (RFC 8628), and not in a browser here. Many take one way only.
  ///   - redirectPort: the port that the browser's answer comes to, for providers that compare it.
  ///   - isBound: whether all its tokens are bound to a key (RFC 9449, 5.2).
  ///   - initialAccessToken: what some providers ask for (RFC 7591, 3).
  /// - Throws: `AuthError.oauth2`; `unsupported` where the provider does not register.
  public static func register(
    _ name: String, at issuer: String, scopes: [String] = ["openid"], key: (any TokenSigner)? = nil,
    isForDevice: Bool = false, redirectPort: Int? = nil, isBound: Bool = false, initialAccessToken: String? = nil,
    unlisted: UnlistedEndpoints = UnlistedEndpoints(), client: any NetworkClient,
    time: any TimeSource = SystemTime()
  ) async throws(AuthError) -> ClientRegistration {
    let provider = Provider(issuer: issuer, unlisted: unlisted, client: client, time: time)
    guard let endpoint = try await provider.metadata().registration else {
      throw .oauth2(host: provider.host, .unsupported("registration"))
    }
    var metadata = metadata(name, scopes, key, isBound)
    if isForDevice {
      metadata["grant_types"] = [.string(DeviceGrant.type), "refresh_token"]
      metadata["response_types"] = []
    } else {
      metadata["redirect_uris"] = [
        .string("http://127.0.0.1" + (redirectPort.map { ":\($0)" } ?? "") + LoopbackExchange.answerPath)
      ]
    }
    var request = NetworkRequest.json(endpoint, metadata)
    if let initialAccessToken { request.headers["Authorization"] = "Bearer " + initialAccessToken }
    let response = try await client.answer(to: request)
    guard response.status == 201 || response.status == 200 else { throw TokenEndpoint.failure(response, endpoint.host) }
    return try ClientRegistration(response.object(from: endpoint), host: endpoint.host)
  }

  private static func metadata(_ name: String, _ scopes: [String], _ key: (any TokenSigner)?, _ isBound: Bool) -> JSONObject {
    var metadata: JSONObject = [
      "client_name": .string(name), "application_type": "native", "response_types": ["code"],
      "grant_types": ["authorization_code", "refresh_token"],
      "scope": .string(scopes.joined(separator: " ")), "token_endpoint_auth_method": key == nil ? "none" : "private_key_jwt",
    ]
    if let key {
      metadata["jwks"] = ["keys": [.object(key.publicKey.members)]]
      metadata["token_endpoint_auth_signing_alg"] = .string(key.publicKey.algorithm.rawValue)
    }
    if isBound { metadata["dpop_bound_access_tokens"] = true }
    return metadata
  }

  private init(_ object: JSONObject, host: String) throws(AuthError) {
    guard let clientID = TokenText.checked(object["client_id"]) else { throw .invalidResponse(host: host, what: "no client_id") }
    self.clientID = clientID
    clientSecret = object["client_secret"]?.string.flatMap { Password($0) }
    if let uri = object["registration_client_uri"]?.string, let endpoint = try? Endpoint(uri), endpoint.host == host,
      let token = TokenText.checked(object["registration_access_token"])
    {
      management = (endpoint, token)
    } else {
      management = nil
    }
  }

  /// What `text` gave.
  ///
  /// - Throws: `TokenStorageError.damaged`.
  public init(_ text: String) throws(TokenStorageError) {
    guard let object = try? JSONReader.object(Array(text.utf8), limit: 1 << 17) else { throw .damaged }
    let management = object["registration_client_uri"]?.string.flatMap { try? Endpoint($0) }
    guard let registration = try? ClientRegistration(object, host: management?.host ?? "") else { throw .damaged }
    self = registration
  }

  /// The registration for the storage (`TokenKind.registration`). There may be a secret in it.
  public var text: String {
    var object: JSONObject = ["client_id": .string(clientID)]
    if let clientSecret { object["client_secret"] = .string(clientSecret.text) }
    if let management {
      object["registration_client_uri"] = .string(management.endpoint.description)
      object["registration_access_token"] = .string(management.token)
    }
    return String(decoding: object.encoded, as: UTF8.self)
  }

  /// Whether the provider said how the registration is ended.
  public var canBeEnded: Bool { management != nil }

  /// Ends the registration (RFC 7592, 2.3), where the provider said how.
  ///
  /// - Throws: `AuthError` where the provider could not be told.
  public func end(client: any NetworkClient) async throws(AuthError) {
    guard let management else { return }
    let request = NetworkRequest(
      management.endpoint, method: .delete, headers: ["Authorization": "Bearer " + management.token])
    let response = try await client.answer(to: request)
    // 401 and 404: it is not there any more.
    guard response.isSuccess || [401, 403, 404].contains(response.status) else {
      throw .server(host: management.endpoint.host, status: response.status)
    }
  }
}
