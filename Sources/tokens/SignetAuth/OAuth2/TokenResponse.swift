import SignetJWT

/// What a token endpoint answered with (RFC 6749, 5).
struct TokenResponse: Sendable {
  let accessToken: String
  /// `token_type`, in lower case.
  let type: String
  let refreshToken: String?
  let idToken: String?
  /// Seconds.
  let lifetime: Double?

  init(_ object: JSONObject, host: String) throws(AuthError) {
    func invalid(_ what: String) -> AuthError { .invalidResponse(host: host, what: what) }
    guard let accessToken = TokenText.checked(object["access_token"]) else { throw invalid("no access token") }
    guard let type = object["token_type"]?.string?.lowercased() else { throw invalid("no token type") }
    self.accessToken = accessToken
    self.type = type
    refreshToken = try TokenResponse.optional("refresh_token", object, invalid("no refresh token"))
    idToken = try TokenResponse.optional("id_token", object, invalid("no ID token"))
    switch object["expires_in"] {
    case nil, .null: lifetime = nil
    case .some(let value):
      guard let seconds = value.number, seconds > 0, seconds <= JWTClaims.latestTime else {
        throw invalid("a token that has expired already")
      }
      lifetime = seconds
    }
  }

  private static func optional(_ name: String, _ object: JSONObject, _ error: AuthError) throws(AuthError) -> String? {
    guard let value = object[name], value != .null else { return nil }
    guard let token = TokenText.checked(value) else { throw error }
    return token
  }

  /// The error code of an answer that is one (5.2); `nil` where it has none.
  static func errorCode(_ response: NetworkResponse) -> OAuth2Code? {
    guard let object = try? JSONReader.object(response.body, limit: 1 << 16), let code = object["error"]?.string else {
      return nil
    }
    return OAuth2Code(code, explanation: object["error_description"]?.string)
  }
}
