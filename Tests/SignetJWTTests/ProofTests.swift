import SignetJWT
import Testing

@Suite struct ProofTests {
  private let key = SigningKey()
  private let clock = TokenClock(now: TestIssuer.now, skew: 0)

  private func proof(nonce: String? = nil, accessToken: String? = nil, target: String = "https://a.example/t?q#f") throws
    -> String
  {
    try DPoP.proof(
      method: "POST", target: target, tokenID: "id", now: TestIssuer.now, nonce: nonce, accessToken: accessToken, by: key)
  }

  private let expected = DPoPVerification(method: "POST", target: "https://a.example/t")

  @Test func `a proof is of the key that made it, and for one request`() throws {
    let proof = try expected.verify(proof(), at: clock)
    #expect(proof.tokenID == "id" && proof.thumbprint == key.publicKey.thumbprint)
    var other = expected
    other.method = "GET"
    #expect(throws: JWTError.unexpectedClaim("htm")) { try other.verify(self.proof(), at: clock) }
    other = expected
    other.target = "https://a.example/u"
    #expect(throws: JWTError.unexpectedClaim("htu")) { try other.verify(self.proof(), at: clock) }
  }

  @Test func `nonce, access token and thumbprint have to be those that were asked for`() throws {
    let whole = try proof(nonce: "n", accessToken: "a")
    var asked = expected
    asked.nonce = "n"
    asked.accessToken = "a"
    asked.thumbprint = key.publicKey.thumbprint
    _ = try asked.verify(whole, at: clock)
    #expect(throws: JWTError.unexpectedClaim("nonce")) { try asked.verify(proof(accessToken: "a"), at: clock) }
    #expect(throws: JWTError.unexpectedClaim("ath")) { try asked.verify(proof(nonce: "n", accessToken: "b"), at: clock) }
    asked.thumbprint = SigningKey().publicKey.thumbprint
    #expect(throws: JWTError.unexpectedClaim("cnf")) { try asked.verify(whole, at: clock) }
  }

  @Test func `an old proof and one of the future are refused`() throws {
    let proof = try proof()
    _ = try expected.verify(proof, at: TokenClock(now: TestIssuer.now + 60, skew: 0))
    #expect(throws: JWTError.tooOld) { try expected.verify(proof, at: TokenClock(now: TestIssuer.now + 61, skew: 0)) }
    #expect(throws: JWTError.notYetValid) { try expected.verify(proof, at: TokenClock(now: TestIssuer.now - 1, skew: 0)) }
  }

  @Test func `a proof with a private key in it is refused`() throws {
    let members = key.publicKey.requiredMembers.with("d", .string(Base64URL.encode(key.rawRepresentation)))
    let proof = try CompactJWS.sign(
      ["jti": "1", "htm": "POST", "htu": "https://a.example/t", "iat": .integer(Int(TestIssuer.now))], type: "dpop+jwt",
      header: ["jwk": .object(members)], by: key)
    #expect(throws: JWTError.invalidKey) { try expected.verify(proof, at: clock) }
  }

  @Test func `a client's assertion says who, for whom and how long`() throws {
    let assertion = try ClientAssertion.make(
      clientID: "c", audience: "https://a.example", tokenID: "1", now: TestIssuer.now, by: key)
    let token = try CompactJWS(assertion)
    let claims = try token.unverifiedClaims()
    #expect(claims.issuer == "c" && claims.subject == "c" && claims.audience == ["https://a.example"])
    #expect(claims.expiration == TestIssuer.now + 60 && claims.tokenID == "1")
    #expect(token.header.keyID == key.publicKey.thumbprint && token.header.type == "jwt")
  }

  @Test func `a key is the same after it was sealed, and never printed`() throws {
    let again = try SigningKey(rawRepresentation: key.rawRepresentation)
    #expect(again.publicKey.thumbprint == key.publicKey.thumbprint)
    #expect(throws: JWTError.invalidKey) { try SigningKey(rawRepresentation: [1, 2, 3]) }
    #expect(throws: JWTError.invalidKey) { try SigningKey(rawRepresentation: Array(repeating: 0xFF, count: 32)) }
    var text = ""
    dump(key, to: &text)
    #expect(text.contains(key.publicKey.thumbprint) && !text.lowercased().contains("privatekey"))
  }
}
