@testable import SignetAuth
@testable import SignetTokenServices
import SignetJSON
import SignetTestKit
import Testing

/// What servers say, changed at random: nothing traps, and what is taken is what it should be.
@Suite struct MutationTests {
  private let endpoint = try! Endpoint("https://id.example.org/login")

  /// 500 changed texts.
  private func forMutations(of text: String, _ seed: UInt64, _ body: (String) -> Void) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 { body(String(decoding: mutated(Array(text.utf8), &random), as: UTF8.self)) }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func `a cookie puts nothing but itself into a request`(seed: UInt64) {
    let text = "session=abc123; Path=/; Secure; HttpOnly; Max-Age=3600; Expires=Wed, 09 Jun 2027 10:18:14 GMT"
    forMutations(of: text, seed) { text in
      var jar = CookieJar(endpoint.origin)
      jar.take(NetworkResponse(status: 200, headers: ["Set-Cookie": text]), from: endpoint, at: 1_000_000_000)
      let header = jar.header(for: endpoint, at: 1_000_000_000) ?? ""
      #expect(!header.contains(";") && header.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(header)")
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func `a token is one word, whatever came`(seed: UInt64) {
    let text = #"{"access_token":"abc.def-ghi","token_type":"Bearer","expires_in":300,"refresh_token":"xyz","id_token":"a.b.c"}"#
    forMutations(of: text, seed) { text in
      guard let object = try? JSONReader.object(Array(text.utf8), limit: 1 << 16),
        let answer = try? TokenResponse(object, host: "id.example.org")
      else { return }
      for token in [answer.accessToken, answer.refreshToken ?? "x", answer.idToken ?? "x"] {
        #expect(!token.isEmpty && token.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "\(token)")
      }
      #expect(answer.lifetime.map { $0 > 0 } ?? true)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func `metadata names endpoints that can be trusted, or is none`(seed: UInt64) {
    let issuer = "https://id.example.org"
    let text = #"""
      {"issuer":"https://id.example.org","authorization_endpoint":"https://id.example.org/authorize","token_endpoint":\#
      "https://id.example.org/token","jwks_uri":"https://id.example.org/keys","response_types_supported":["code"],\#
      "id_token_signing_alg_values_supported":["RS256","ES256"],"revocation_endpoint":"https://id.example.org/revoke"}
      """#
    forMutations(of: text, seed) { text in
      guard let object = try? JSONReader.object(Array(text.utf8), limit: 1 << 16),
        let metadata = try? ProviderMetadata(object, issuer: issuer, host: "id.example.org", unlisted: UnlistedEndpoints())
      else { return }
      for endpoint in [metadata.authorization, metadata.token, metadata.keys, metadata.revocation].compactMap(\.self) {
        #expect(endpoint.origin.isSecure)
      }
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func `texts that come back from the storage never trap`(seed: UInt64) {
    let text = #"{"token":"abc","user":"1000","name":"alice","uri":"https://id.example.org/clients/1","clientID":"x"}"#
    forMutations(of: text, seed) { text in
      _ = try? StoredSignIn(text)
      _ = try? ClientRegistration(text)
      _ = HTTPDate.parse(text)
      _ = FormEncoding.decode(Substring(text))
      _ = try? Endpoint(text)
    }
    forMutations(of: "Wed, 09 Jun 2027 10:18:14 GMT", seed) { #expect(HTTPDate.parse($0).map { $0.isFinite } ?? true) }
    forMutations(of: "a=1&b=%20x+y&c", seed) { _ = FormEncoding.decode(Substring($0)) }
    forMutations(of: "https://[::1]:8443/a/b?c=d", seed) { text in
      guard let endpoint = try? Endpoint(text) else { return }
      #expect((try? Endpoint(endpoint.description)) == endpoint)
    }
  }
}
