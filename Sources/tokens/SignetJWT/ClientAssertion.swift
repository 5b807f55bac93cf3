import SignetJSON

/// How a client says who it is by its key (`private_key_jwt`: RFC 7523, OpenID Connect Core 1.0, section 9).
public enum ClientAssertion {
  /// The value of `client_assertion_type`.
  public static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// Makes an assertion for one request.
  ///
  /// - Parameters:
  ///   - audience: the issuer that it is for, or its token endpoint.
  ///   - tokenID: `jti`, new for each assertion: at least 96 random bits.
  ///   - now: seconds since 1970 in UTC.
  ///   - lifetime: seconds until it expires, 1 to 300.
  /// - Throws: `JWTError.invalidKey` where the signer cannot sign.
  public static func make(
    clientID: String, audience: String, tokenID: String, now: Double, lifetime: Int = 60, by signer: some TokenSigner
  ) throws(JWTError) -> String {
    let now = wholeSeconds(now)
    var header: JSONObject = [:]
    if let keyID = signer.publicKey.keyID { header["kid"] = .string(keyID) }
    return try CompactJWS.sign(
      [
        "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience), "jti": .string(tokenID),
        "iat": .integer(now), "exp": .integer(now + min(max(lifetime, 1), 300)),
      ], type: "JWT", header: header, by: signer)
  }
}
