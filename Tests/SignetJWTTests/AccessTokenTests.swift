import SignetJWT
import SignetTestKit
import Testing

@Suite struct AccessTokenTests {
  private let issuer = TestIssuer()

  @Test func `a right token is taken, with all that it says`() throws {
    let token = try issuer.verify(issuer.token(issuer.accessClaims.with("cnf", ["jkt": "t"])))
    #expect(token.subject == "alice" && token.clientID == "signet" && token.tokenID == "1" && token.sessionID == "s")
    #expect(token.scopes == ["read", "write"] && token.authenticationMethods == ["fpt"] && token.confirmation == "t")
    #expect(token.authenticationTime == TestIssuer.now - 10)
  }

  @Test(arguments: ["at+jwt", "AT+JWT", "application/at+jwt"])
  func `its type may be written in these ways`(type: String) throws {
    _ = try issuer.verify(issuer.token(issuer.accessClaims, type: type))
  }

  @Test(arguments: ["JWT", "dpop+jwt", "jwt", "", "at+jw", "application/x/at+jwt"])
  func `a token of another type is refused before its signature is looked at`(type: String) throws {
    let token = try issuer.token(issuer.accessClaims, type: type) + "AAAA"
    #expect { try issuer.verify(token) } throws: { error in
      if case JWTError.unexpectedType = error { true } else { false }
    }
  }

  @Test(arguments: ["none", "None", "NONE", "HS256", "HS512", "ES384", "es256", "RS256", "EdDSA", ""])
  func `another algorithm is refused before its signature is looked at`(algorithm: String) {
    let token = issuer.token(rawHeader: #"{"alg":"\#(algorithm)","typ":"at+jwt","kid":"one"}"#, issuer.accessClaims) { _ in [] }
    #expect(throws: JWTError.unexpectedAlgorithm(algorithm)) { try issuer.verify(token) }
  }

  @Test func `a profile that allows everything still takes no HMAC by the public key`() throws {
    var profile = issuer.accessProfile
    profile.algorithms = Set(SignatureAlgorithm.allCases)
    let token = issuer.token(rawHeader: #"{"alg":"HS256","typ":"at+jwt","kid":"one"}"#, issuer.accessClaims) { input in
      hmac(input, key: issuer.keys.encoded) { SHA2.sha256($0) }
    }
    #expect(throws: JWTError.unexpectedAlgorithm("HS256")) {
      try profile.verify(token, by: issuer.keys, at: TokenClock(now: TestIssuer.now))
    }
  }

  @Test(
    arguments: [
      #""crit":["exp"],"exp":1"#, #""crit":[]"#, #""crit":["b64"],"b64":false"#, #""b64":false"#, #""crit":null"#,
      #""zip":"DEF""#,
    ])
  func `a header that has to be understood and is not is refused`(member: String) throws {
    let header = #"{"alg":"ES256","typ":"at+jwt","kid":"one",\#(member)}"#
    let token = try issuer.token(rawHeader: header, issuer.accessClaims) { try issuer.key.signature(over: $0) }
    #expect(throws: JWTError.unknownCriticalHeader) { try issuer.verify(token) }
  }

  @Test func `a header or claims with a name twice are refused`() throws {
    let header = #"{"alg":"ES256","typ":"at+jwt","kid":"one","kid":"one"}"#
    let token = try issuer.token(rawHeader: header, issuer.accessClaims) { try issuer.key.signature(over: $0) }
    #expect(throws: JWTError.notJSON(.duplicateName("kid"))) { try issuer.verify(token) }
    let input =
      Base64URL.encode(Array(#"{"alg":"ES256","typ":"at+jwt","kid":"one"}"#.utf8)) + "."
      + Base64URL.encode(Array(#"{"sub":"alice","sub":"root"}"#.utf8))
    let claims = try input + "." + Base64URL.encode(issuer.key.signature(over: Array(input.utf8)))
    #expect(throws: JWTError.notJSON(.duplicateName("sub"))) { try issuer.verify(claims) }
  }

  @Test func `the key has to be the one that the token names, or the only one that fits`() throws {
    let unnamed = try issuer.token(issuer.accessClaims, header: [:])
    _ = try issuer.verify(unnamed)
    let two = JSONWebKeySet([issuer.key.publicKey, SigningKey().publicKey])
    let clock = TokenClock(now: TestIssuer.now)
    #expect(throws: JWTError.unknownKey(nil)) { try issuer.accessProfile.verify(unnamed, by: two, at: clock) }
    _ = try issuer.accessProfile.verify(issuer.token(issuer.accessClaims), by: two, at: clock)
    let other = try issuer.token(issuer.accessClaims, header: ["kid": "two"])
    #expect(throws: JWTError.unknownKey("two")) { try issuer.verify(other) }
    let impostor = SigningKey(keyID: "one")
    let forged = try CompactJWS.sign(issuer.accessClaims, type: "at+jwt", header: ["kid": "one"], by: impostor)
    #expect(throws: JWTError.invalidSignature) { try issuer.verify(forged) }
    let twins = JSONWebKeySet([issuer.key.publicKey, impostor.publicKey])
    #expect(throws: JWTError.unknownKey("one")) { try issuer.accessProfile.verify(forged, by: twins, at: clock) }
  }

  @Test func `a key that the token brings along counts for nothing`() throws {
    let impostor = SigningKey(keyID: "one")
    let header: JSONObject = ["kid": "one", "jwk": .object(impostor.publicKey.requiredMembers), "jku": "https://evil.example"]
    let forged = try CompactJWS.sign(issuer.accessClaims, type: "at+jwt", header: header, by: impostor)
    #expect(throws: JWTError.invalidSignature) { try issuer.verify(forged) }
  }

  @Test func `any changed part is refused`() throws {
    let token = try issuer.token(issuer.accessClaims)
    let parts = token.split(separator: ".").map(String.init)
    let root = Base64URL.encode(issuer.accessClaims.with("sub", "root").encoded)
    #expect(throws: JWTError.invalidSignature) { try issuer.verify([parts[0], root, parts[2]].joined(separator: ".")) }
    #expect(throws: JWTError.invalidSignature) { try issuer.verify([parts[0], parts[1], ""].joined(separator: ".")) }
    #expect(throws: JWTError.notCompact) { try issuer.verify([parts[0], parts[1]].joined(separator: ".")) }
    #expect(throws: JWTError.notCompact) { try issuer.verify(token + ".AA") }
    #expect(throws: JWTError.notCompact) { try issuer.verify(token + "=") }
    #expect(throws: JWTError.notCompact) { try issuer.verify(" " + token) }
  }

  @Test(arguments: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"])
  func `a token without a claim of RFC 9068 is refused`(name: String) throws {
    let token = try issuer.token(issuer.accessClaims.with(name, nil))
    #expect(throws: JWTError.missingClaim(name)) { try issuer.verify(token) }
  }

  @Test func `another issuer's and another service's tokens are refused`() throws {
    let foreign = try issuer.token(issuer.accessClaims.with("iss", "https://issuer.example/"))
    #expect(throws: JWTError.unexpectedClaim("iss")) { try issuer.verify(foreign) }
    for audience: JSONValue in ["mail", ["mail", "Files"], "file\u{212A}"] {
      let token = try issuer.token(issuer.accessClaims.with("aud", audience))
      #expect(throws: JWTError.unexpectedClaim("aud")) { try issuer.verify(token) }
    }
    _ = try issuer.verify(issuer.token(issuer.accessClaims.with("aud", ["mail", "files"])))
  }

  @Test func `claims of another type are refused`() throws {
    let wrong: [(String, JSONValue)] = [
      ("exp", "1800000300"), ("exp", -1), ("exp", .double(1e300)), ("iat", true), ("sub", 7), ("aud", ["a", 1]), ("aud", []),
      ("scope", ["read"]), ("amr", "fpt"), ("cnf", ["x5t#S256": "t"]), ("cnf", ["jkt": "t", "kid": "k"]), ("cnf", "t"),
      ("jti", 1),
    ]
    for (name, value) in wrong {
      let token = try issuer.token(issuer.accessClaims.with(name, value))
      #expect(throws: JWTError.invalidMember(name)) { try issuer.verify(token) }
    }
  }

  @Test func `times count to the second, and the skew moves them`() throws {
    let token = try issuer.token(issuer.accessClaims.with("nbf", .integer(Int(TestIssuer.now))))
    let expiration = TestIssuer.now + 300
    _ = try issuer.verify(token, at: expiration + 59)
    #expect(throws: JWTError.expired) { try issuer.verify(token, at: expiration + 60) }
    #expect(throws: JWTError.expired) { try issuer.verify(token, at: expiration, skew: 0) }
    _ = try issuer.verify(token, at: TestIssuer.now - 60)
    #expect(throws: JWTError.notYetValid) { try issuer.verify(token, at: TestIssuer.now - 61) }
    #expect(throws: JWTError.notYetValid) { try issuer.verify(token, at: TestIssuer.now - 1, skew: 0) }
    #expect(throws: JWTError.expired) { try issuer.verify(token, at: expiration + 300, skew: .infinity) }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func `by a clock that tells no time every token has expired`(now: Double)
    throws
  {
    let token = try issuer.token(issuer.accessClaims)
    #expect(throws: JWTError.expired) { try issuer.verify(token, at: now) }
  }

  @Test func `what is too large is refused unread`() throws {
    let large = String(repeating: "A", count: CompactJWS.maximumSize + 1)
    #expect(throws: JWTError.tooLarge) { try issuer.verify(large) }
    let header = try issuer.token(
      issuer.accessClaims, header: ["x": .string(String(repeating: "a", count: CompactJWS.maximumHeaderSize))])
    #expect(throws: JWTError.tooLarge) { try issuer.verify(header) }
  }
}
