import SignetJWT
import SignetTestKit
import Testing

@Suite struct MutationTests {
  private let issuer = TestIssuer()

  /// Whatever becomes of a token, it is refused, and nothing traps.
  @Test(arguments: 0..<8 as Range<UInt64>) func `a token that was changed at random is refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let token = try Array(issuer.token(issuer.accessClaims).utf8)
    for _ in 0..<500 {
      let changed = mutated(token, &random)
      guard changed != token else { continue }
      #expect(throws: JWTError.self) { try issuer.verify(String(decoding: changed, as: UTF8.self)) }
    }
  }

  /// The same below base64: headers and claims that are nearly right, well signed.
  @Test(arguments: 0..<8 as Range<UInt64>) func `a signed token whose text was changed never traps`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed + 100)
    let header = Array(#"{"alg":"ES256","kid":"one","typ":"at+jwt"}"#.utf8)
    var taken = 0
    for _ in 0..<300 {
      let input =
        Base64URL.encode(Bool.random(using: &random) ? mutated(header, &random) : header) + "."
        + Base64URL.encode(mutated(issuer.accessClaims.encoded, &random))
      let token = try input + "." + Base64URL.encode(issuer.key.signature(over: Array(input.utf8)))
      if let token = try? issuer.verify(token) {
        taken += 1
        #expect(token.claims.issuer == TestIssuer.name && token.claims.audience.contains("files"))
      }
    }
    // Some changes do not matter: another subject, a claim that nobody reads.
    #expect(taken < 300)
  }
}
