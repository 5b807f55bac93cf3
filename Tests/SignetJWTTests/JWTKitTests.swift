import JWTKit
import SignetJWT
import Testing

/// The other implementation in Swift takes ours, and we take its.
@Suite struct JWTKitTests {
  private struct Payload: JWTPayload {
    var iss: String
    var aud: String
    var sub: String
    var nonce: String
    var iat: Int
    var exp: Int

    func verify(using algorithm: some JWTAlgorithm) throws {}
  }

  private let issuer = TestIssuer()

  @Test func `jwt-kit verifies a token that was signed here`() async throws {
    let members = issuer.key.publicKey.requiredMembers
    let keys = JWTKeyCollection()
    let key = try ES256PublicKey(parameters: (x: padded(members["x"]), y: padded(members["y"])))
    await keys.add(ecdsa: key, kid: "one")
    let token = try issuer.token(issuer.idClaims, type: "JWT")
    #expect(try await keys.verify(token, as: Payload.self).sub == "alice")
    let other = try TestIssuer().token(issuer.idClaims, type: "JWT")
    await #expect(throws: JWTKit.JWTError.self) { try await keys.verify(other, as: Payload.self) }
  }

  @Test func `a token of jwt-kit is verified here`() async throws {
    let secret = ES256PrivateKey()
    let keys = JWTKeyCollection()
    await keys.add(ecdsa: secret, kid: "one")
    let now = Int(TestIssuer.now)
    let payload = Payload(iss: TestIssuer.name, aud: "signet", sub: "alice", nonce: "n", iat: now, exp: now + 300)
    let token = try await keys.sign(payload, kid: "one")
    let point = try #require(secret.publicKey.parameters)
    let key = try JSONWebKey([
      "kty": "EC", "crv": "P-256", "kid": "one", "x": .string(unpadded(point.x)), "y": .string(unpadded(point.y)),
    ])
    let verified = try issuer.idProfile.verify(token, by: JSONWebKeySet([key]), at: TokenClock(now: TestIssuer.now))
    #expect(verified.subject == "alice")
  }

  private func padded(_ text: JSONValue?) -> String {
    (text?.string ?? "").replacing("-", with: "+").replacing("_", with: "/") + "="
  }

  private func unpadded(_ text: String) -> String {
    text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
