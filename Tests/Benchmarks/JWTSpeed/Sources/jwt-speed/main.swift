// Access tokens (RFC 9068) signed by ES256 and verified, by SignetJWT and by jwt-kit: how many a second, as one JSON object.
import JWTKit
import SignetJWT

struct Rates {
  var mint = 0.0
  var verify = 0.0
  var text: String { #"{"mint": \#(Int(mint)), "verify": \#(Int(verify))}"# }
}

/// How many a second, of some seconds' work.
func rate(_ work: () async throws -> Void) async rethrows -> Double {
  let clock = ContinuousClock()
  for _ in 0..<50 { try await work() }
  var count = 0.0
  let start = clock.now
  while clock.now - start < .seconds(2) {
    for _ in 0..<50 { try await work() }
    count += 50
  }
  return count / ((clock.now - start) / .seconds(1))
}

let (issuer, audience) = ("urn:signet:desk", "mail")

func ours() async throws -> Rates {
  let key = SigningKey()
  let claims: SignetJWT.JSONObject = [
    "iss": .string(issuer), "aud": .string(audience), "sub": .string("1000"), "client_id": .string("signet"),
    "jti": .string("0123"), "iat": .integer(1_000_000_000), "exp": .integer(1_000_000_300),
  ]
  let profile = AccessTokenProfile(issuer: issuer, audience: audience)
  let keys = try JSONWebKeySet(json: (["keys": .array([.object(key.publicKey.members)])] as SignetJWT.JSONObject).encoded)
  let clock = TokenClock(now: 1_000_000_100)
  let header: SignetJWT.JSONObject = ["kid": .string(key.publicKey.thumbprint)]
  func mint() throws -> String { try CompactJWS.sign(claims, type: "at+jwt", header: header, by: key) }
  let token = try mint()
  return Rates(
    mint: try await rate { _ = try mint() }, verify: try await rate { _ = try profile.verify(token, by: keys, at: clock) })
}

/// The same claims, and the same checks of them.
struct Claims: JWTPayload {
  var iss: IssuerClaim
  var aud: AudienceClaim
  var sub: SubjectClaim
  var client_id: String
  var jti: IDClaim
  var iat: IssuedAtClaim
  var exp: ExpirationClaim

  func verify(using algorithm: some JWTAlgorithm) throws {
    guard iss.value == issuer else { throw JWTError.claimVerificationFailure(failedClaim: iss, reason: "another issuer") }
    try aud.verifyIntendedAudience(includes: audience)
    try exp.verifyNotExpired(currentDate: .init(timeIntervalSince1970: 1_000_000_100))
  }
}

func theirs() async throws -> Rates {
  let keys = await JWTKeyCollection().add(ecdsa: ES256PrivateKey(), kid: "key")
  let claims = Claims(
    iss: IssuerClaim(value: issuer), aud: AudienceClaim(value: audience), sub: "1000", client_id: "signet", jti: "0123",
    iat: IssuedAtClaim(value: .init(timeIntervalSince1970: 1_000_000_000)),
    exp: ExpirationClaim(value: .init(timeIntervalSince1970: 1_000_000_300)))
  let token = try await keys.sign(claims, kid: "key")
  return Rates(
    mint: try await rate { _ = try await keys.sign(claims, kid: "key") },
    verify: try await rate { _ = try await keys.verify(token, as: Claims.self) })
}

let (own, other) = (try await ours(), try await theirs())
print(#"{"SignetJWT": \#(own.text), "jwt-kit": \#(other.text)}"#)
