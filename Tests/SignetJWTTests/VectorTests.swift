import SignetJWT
import Testing

/// Examples that RFCs give.
@Suite struct VectorTests {
  /// RFC 7638, 3.1.
  @Test func `the thumbprint of an RSA key is RFC 7638's`() throws {
    let key = try JSONWebKey([
      "kty": "RSA", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
      "n": .string(
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMst"
          + "n64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbI"
          + "SD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"),
    ])
    #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  /// RFC 7515, A.3.
  private let es256 =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
    + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
  private var es256Key: JSONWebKeySet {
    get throws {
      JSONWebKeySet([
        try JSONWebKey([
          "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
          "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ])
      ])
    }
  }

  /// The examples have no `sub`, so an ID token's profile goes as far as the signature and the claims' names.
  @Test func `the ES256 example of RFC 7515 verifies, and a changed one does not`() throws {
    let profile = IDTokenProfile(issuer: "joe", clientID: "c")
    let clock = TokenClock(now: 1_300_819_300)
    #expect(throws: JWTError.missingClaim("sub")) { try profile.verify(es256, by: es256Key, at: clock) }
    let other = es256.replacing("DtEhU", with: "DtEhV")
    #expect(throws: JWTError.invalidSignature) { try profile.verify(other, by: es256Key, at: clock) }
  }

  /// RFC 7515, A.2.
  @Test func `the RS256 example of RFC 7515 verifies, and a changed one does not`() throws {
    let key = try JSONWebKey([
      "kty": "RSA", "e": "AQAB",
      "n": .string(
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMs"
          + "D1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdV"
          + "MTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"),
    ])
    let token =
      "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
      + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4"
      + "BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqv"
      + "hJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    let profile = IDTokenProfile(issuer: "joe", clientID: "c")
    let clock = TokenClock(now: 1_300_819_300)
    #expect(throws: JWTError.missingClaim("sub")) { try profile.verify(token, by: JSONWebKeySet([key]), at: clock) }
    let other = token.replacing("cC4hi", with: "cC4hj")
    #expect(throws: JWTError.invalidSignature) { try profile.verify(other, by: JSONWebKeySet([key]), at: clock) }
  }

  /// RFC 8037, A.3 and A.4: the payload is no JSON, which is found out behind the signature.
  @Test func `the Ed25519 example of RFC 8037 verifies, and its thumbprint is the RFC's`() throws {
    let key = try JSONWebKey(["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])
    #expect(key.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    let token =
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
      + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    let profile = IDTokenProfile(issuer: "joe", clientID: "c")
    #expect(throws: JWTError.notJSON(.malformed(offset: 0))) {
      try profile.verify(token, by: JSONWebKeySet([key]), at: TokenClock(now: 0))
    }
    let other = token.replacing("hgyY0", with: "hgyY1")
    #expect(throws: JWTError.invalidSignature) {
      try profile.verify(other, by: JSONWebKeySet([key]), at: TokenClock(now: 0))
    }
  }

  @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")])
  func `base64url is RFC 4648's without padding`(plain: String, encoded: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
    #expect(Base64URL.decode(encoded) == Array(plain.utf8))
  }

  @Test(arguments: ["Zg==", "Zh", "A", "Zm9vA", "Zm 9", "Zm+v", "Zm/v", "Zg\n", "é"])
  func `what is not canonical base64url is none`(text: String) { #expect(Base64URL.decode(text) == nil) }
}
