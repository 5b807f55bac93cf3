import SignetJWT

/// Makes tokens, right ones and wrong ones.
struct TestIssuer {
  static let name = "https://issuer.example"
  static let now: Double = 1_800_000_000

  let key = SigningKey(keyID: "one")
  var keys: JSONWebKeySet { JSONWebKeySet([key.publicKey]) }

  var accessClaims: JSONObject {
    [
      "iss": .string(TestIssuer.name), "aud": "files", "sub": "alice", "client_id": "signet", "jti": "1", "scope": "read write",
      "iat": .integer(Int(TestIssuer.now)), "exp": .integer(Int(TestIssuer.now) + 300), "amr": ["fpt"], "sid": "s",
      "auth_time": .integer(Int(TestIssuer.now) - 10),
    ]
  }

  var idClaims: JSONObject {
    [
      "iss": .string(TestIssuer.name), "aud": "signet", "sub": "alice", "nonce": "n", "iat": .integer(Int(TestIssuer.now)),
      "exp": .integer(Int(TestIssuer.now) + 300),
    ]
  }

  func token(_ claims: JSONObject, type: String = "at+jwt", header: JSONObject = ["kid": "one"]) throws -> String {
    try CompactJWS.sign(claims, type: type, header: header, by: key)
  }

  /// A token with any header at all, signed over what it says.
  func token(rawHeader: String, _ claims: JSONObject, signature: ([UInt8]) throws -> [UInt8]) rethrows -> String {
    let input = Base64URL.encode(Array(rawHeader.utf8)) + "." + Base64URL.encode(claims.encoded)
    return input + "." + Base64URL.encode(try signature(Array(input.utf8)))
  }

  let accessProfile = AccessTokenProfile(issuer: TestIssuer.name, audience: "files")
  let idProfile = IDTokenProfile(issuer: TestIssuer.name, clientID: "signet", nonce: "n")

  func verify(_ token: String, at now: Double = TestIssuer.now, skew: Double = 60) throws(JWTError) -> AccessToken {
    try accessProfile.verify(token, by: keys, at: TokenClock(now: now, skew: skew))
  }
}

extension JSONObject {
  /// The same with one member changed, or without it.
  func with(_ name: String, _ value: JSONValue?) -> JSONObject {
    var changed = self
    changed[name] = value
    return changed
  }
}
