import SignetJWT
import Testing

@Suite struct IDTokenTests {
  private let issuer = TestIssuer()
  private let clock = TokenClock(now: TestIssuer.now)

  private func verify(_ claims: JSONObject, _ change: (inout IDTokenProfile) -> Void = { _ in }) throws -> IDToken {
    var profile = issuer.idProfile
    change(&profile)
    return try profile.verify(issuer.token(claims, type: "JWT"), by: issuer.keys, at: clock)
  }

  @Test func `a right token is taken, also without a type`() throws {
    #expect(try verify(issuer.idClaims).subject == "alice")
    let header = #"{"alg":"ES256","kid":"one"}"#
    let untyped = try issuer.token(rawHeader: header, issuer.idClaims) { try issuer.key.signature(over: $0) }
    #expect(try issuer.idProfile.verify(untyped, by: issuer.keys, at: clock).issuer == TestIssuer.name)
  }

  @Test func `an access token is no ID token`() throws {
    let token = try issuer.token(issuer.idClaims)
    #expect(throws: JWTError.unexpectedType("at+jwt")) { try issuer.idProfile.verify(token, by: issuer.keys, at: clock) }
  }

  @Test func `the nonce has to be the request's`() throws {
    #expect(throws: JWTError.unexpectedClaim("nonce")) { try verify(issuer.idClaims.with("nonce", "m")) }
    #expect(throws: JWTError.unexpectedClaim("nonce")) { try verify(issuer.idClaims.with("nonce", nil)) }
  }

  @Test func `several audiences need an authorized party, which is this client`() throws {
    #expect(throws: JWTError.missingClaim("azp")) { try verify(issuer.idClaims.with("aud", ["signet", "other"])) }
    _ = try verify(issuer.idClaims.with("aud", ["signet", "other"]).with("azp", "signet"))
    #expect(throws: JWTError.unexpectedClaim("azp")) { try verify(issuer.idClaims.with("azp", "other")) }
    #expect(throws: JWTError.unexpectedClaim("aud")) { try verify(issuer.idClaims.with("aud", "other")) }
  }

  /// The hash of this access token is OpenID Connect Core 1.0's example, A.3.
  @Test func `the access token has to be the one that it was issued with`() throws {
    let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    let claims = issuer.idClaims.with("at_hash", "77QmUPtjPfzWtF2AnpK9RQ")
    _ = try verify(claims) { $0.accessToken = token }
    #expect(throws: JWTError.unexpectedClaim("at_hash")) { try verify(claims) { $0.accessToken = token + "x" } }
  }

  @Test func `an old sign-in is refused where the request said how old it may be`() throws {
    let claims = issuer.idClaims.with("auth_time", .integer(Int(TestIssuer.now) - 100))
    _ = try verify(claims) { $0.maximumAge = 40 }
    #expect(throws: JWTError.tooOld) { try verify(claims) { $0.maximumAge = 39 } }
    #expect(throws: JWTError.missingClaim("auth_time")) { try verify(issuer.idClaims) { $0.maximumAge = 40 } }
  }

  @Test func `a token that was issued long ago is refused`() throws {
    let claims = issuer.idClaims.with("iat", .integer(Int(TestIssuer.now) - 661))
    #expect(throws: JWTError.tooOld) { try verify(claims) }
  }

  @Test(arguments: ["", String(repeating: "a", count: 256)])
  func `a subject has to be 1 to 255 bytes`(subject: String) {
    #expect(throws: JWTError.invalidMember("sub")) { try verify(issuer.idClaims.with("sub", .string(subject))) }
  }
}
