import Foundation
import SignetAuthentication
import SignetTokens
import SignetVocabulary
import Testing

@Suite struct AccessTokenTests {
  private func session(_ method: EvidenceMethod = .fingerprint, user: String = "alice") -> Session {
    Session(
      identifier: SessionName(0x0123_ABCD), digest: [], uid: 1000, user: user, service: "login", terminal: "tty1",
      method: method, since: 5_000, key: 1)
  }

  private func token(_ session: Session, ends: UInt64 = 90_000, confirmation: [UInt8] = []) -> AccessToken {
    AccessToken(
      issuer: "urn:uuid:0", audience: "https://mail.example.org/\"quoted\"\\\u{1}é", session: session, sessionEnds: ends,
      issued: 6_000, identifier: "abc", confirmation: confirmation)
  }

  /// Header, claims and signature.
  private func parts(_ text: String) throws -> (header: [String: Any], claims: [String: Any], signed: String, signature: Data) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    try #require(parts.count == 3)
    let decoded = try parts.map { try #require(Data(base64Encoded: padded($0))) }
    let objects = try decoded[..<2].map { try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any]) }
    return (objects[0], objects[1], parts[0] + "." + parts[1], decoded[2])
  }

  private func padded(_ text: String) -> String {
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    return standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
  }

  @Test func `it is a JWT by RFC 9068, which the issuer's public key verifies`() throws {
    let key = try ES256Key(random: ())
    let (header, claims, signed, signature) = try parts(try token(session()).signed(by: key))
    #expect(header["typ"] as? String == "at+jwt" && header["alg"] as? String == "ES256")
    #expect(header["kid"] as? String == key.publicKey.identifier)
    #expect(claims["sub"] as? String == "1000" && claims["client_id"] as? String == "signet")
    #expect(claims["aud"] as? String == "https://mail.example.org/\"quoted\"\\\u{1}é")
    #expect(claims["iat"] as? Int == 6_000 && claims["exp"] as? Int == 6_300 && claims["auth_time"] as? Int == 5_000)
    #expect(claims["amr"] as? [String] == ["fpt"] && claims["sid"] as? String == "0123abcd")
    #expect(claims["cnf"] == nil)
    #expect(key.publicKey.verifies([UInt8](signature), of: Array(signed.utf8)))
    #expect(!key.publicKey.verifies([UInt8](signature), of: Array((signed + "A").utf8)))
    #expect(!(try ES256Key(random: ())).publicKey.verifies([UInt8](signature), of: Array(signed.utf8)))
  }

  @Test func `a passcode is said to be one`() throws {
    let (_, claims, _, _) = try parts(try token(session(.passcode)).signed(by: try ES256Key(random: ())))
    #expect(claims["amr"] as? [String] == ["pwd"] && claims["acr"] as? String == "urn:signet:acr:passcode")
  }

  @Test func `it does not outlive its session`() {
    #expect(token(session(), ends: 6_100).expires == 6_100)
    #expect(token(session(), ends: 90_000).expires == 6_300)
  }

  @Test func `what it is bound to is in it`() throws {
    let bound = token(session(), confirmation: [UInt8](repeating: 0xFF, count: 32))
    let (_, claims, _, _) = try parts(try bound.signed(by: try ES256Key(random: ())))
    #expect((claims["cnf"] as? [String: String])?["jkt"] == "__________________________________________8")
  }

  /// The key of RFC 7517, appendix A.1, whose thumbprint other implementations give too.
  @Test func `a public key is written and named as others do`() throws {
    let x = try #require(Data(base64Encoded: padded("MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4")))
    let y = try #require(Data(base64Encoded: padded("4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM")))
    let key = try #require(ES256PublicKey([UInt8](x) + [UInt8](y)))
    #expect(key.identifier == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
    #expect(
      key.jwk == """
        {"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","kid":"cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s",\
        "use":"sig","alg":"ES256"}
        """)
  }
}
