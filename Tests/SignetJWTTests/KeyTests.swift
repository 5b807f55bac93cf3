import SignetJWT
import Testing

@Suite struct KeyTests {
  private let key = SigningKey(keyID: "k").publicKey

  @Test func `a set reads what it wrote, and leaves out what it does not know`() throws {
    let set = try JSONWebKeySet(json: JSONWebKeySet([key]).encoded)
    #expect(set.keys.map(\.thumbprint) == [key.thumbprint] && set.keys[0].keyID == "k")
    let more = #"{"keys":[{"kty":"oct","k":"AAAA"},{"kty":"EC","crv":"P-521","x":"","y":""},7,{"kty":"RSA"}],"x":1}"#
    #expect(try JSONWebKeySet(json: Array(more.utf8)).keys.isEmpty)
  }

  @Test func `a set that is none, or too large, is refused`() {
    #expect(throws: JWTError.invalidMember("keys")) { try JSONWebKeySet(json: Array("{}".utf8)) }
    #expect(throws: JWTError.notJSON(.malformed(offset: 0))) { try JSONWebKeySet(json: Array("[]".utf8)) }
    let many = "{\"keys\":[" + Array(repeating: "0", count: JSONWebKeySet.maximumCount + 1).joined(separator: ",") + "]}"
    #expect(throws: JWTError.tooLarge) { try JSONWebKeySet(json: Array(many.utf8)) }
    let large = "{\"keys\":[]" + String(repeating: " ", count: JSONWebKeySet.maximumSize) + "}"
    #expect(throws: JWTError.notJSON(.tooLarge)) { try JSONWebKeySet(json: Array(large.utf8)) }
  }

  @Test func `a key for another use, or a point off the curve, is no key`() {
    let wrong: [JSONObject] = [
      key.members.with("use", "enc"), key.members.with("key_ops", ["sign"]), key.members.with("alg", "RS256"),
      key.members.with("kid", 1), key.members.with("d", "AAAA"), key.members.with("kty", "oct"),
      key.members.with("x", key.members["y"]), key.members.with("x", "AA"), key.members.with("x", nil),
      ["kty": "RSA", "n": .string(Base64URL.encode(Array(repeating: 0xFF, count: 128))), "e": "AQAB"],
      ["kty": "RSA", "n": .string(Base64URL.encode(Array(repeating: 0xFF, count: 1025))), "e": "AQAB"],
      ["kty": "RSA", "n": .string(Base64URL.encode([0] + Array(repeating: 0xFF, count: 256))), "e": "AQAB"],
    ]
    for members in wrong { #expect(throws: JWTError.invalidKey) { try JSONWebKey(members) } }
  }
}
