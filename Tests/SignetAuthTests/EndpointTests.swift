import SignetAuthTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct EndpointTests {
  @Test func `a URL is taken apart, and written as one text`() throws {
    let endpoint = try Endpoint("HTTPS://Login.Example:8443/a/b?c=d&e")
    #expect(
      endpoint.host == "login.example" && endpoint.origin.port == 8443 && endpoint.path == "/a/b" && endpoint.query == "c=d&e")
    #expect(endpoint.description == "https://login.example:8443/a/b?c=d&e")
    #expect(try Endpoint("https://a.example:443").description == "https://a.example/")
    #expect(try Endpoint("https://a.example?x").description == "https://a.example/?x")
    #expect(try Endpoint("http://[::1]:80/x").description == "http://[::1]/x")
  }

  @Test(
    arguments: [
      "", "https://", "https:///x", "https://a.example#f", "https://u@a.example/", "https://u:p@a.example/",
      "https://a.example:0/",
      "https://a.example:65536/", "https://a.example:+1/", "https://a b/", "https://a.example/\n", "https://a\\b/",
      "ftp://a.example/",
      "//a.example/", "https://a..example/", "https://-a.example/", "https://[::1/", "https://[]/", "https://é.example/",
      "https://a.example:/", "javascript:alert(1)",
    ])
  func `what two readers could understand in two ways is no endpoint`(text: String) {
    #expect(throws: NetworkError.invalidURL(text)) { try Endpoint(text) }
  }

  @Test(arguments: ["http://a.example/", "http://localhost/", "http://127.0.0.2/", "http://127.0.0.1.example/"])
  func `tokens do not go over http to anywhere but this machine's own address`(text: String) {
    #expect(throws: NetworkError.notSecure(text)) { try Endpoint(text) }
  }

  @Test func `a redirect is followed at the same origin, and so often`() throws {
    func redirect(_ location: String, limit: Int = 2) throws -> Endpoint? {
      let request = NetworkRequest(try Endpoint("https://a.example/x"), redirectLimit: limit)
      return try NetworkResponse(status: 302, headers: ["Location": location]).redirect(of: request)?.endpoint
    }
    #expect(try redirect("/y?z")?.description == "https://a.example/y?z")
    #expect(try redirect("https://a.example/y")?.path == "/y")
    #expect(try redirect("/y", limit: 0) == nil)
    for elsewhere in ["https://b.example/", "https://a.example:8443/", "http://127.0.0.1/", "//b.example/", "y", ""] {
      #expect(throws: NetworkError.redirected(host: "a.example", to: elsewhere)) { try redirect(elsewhere) }
    }
  }

  @Test func `a POST follows no redirect`() throws {
    let request = NetworkRequest(try Endpoint("https://a.example/x"), method: .post, redirectLimit: 2)
    #expect(try NetworkResponse(status: 307, headers: ["Location": "/y"]).redirect(of: request) == nil)
  }

  @Test func `forms are written and read with any bytes`() {
    let fields = [("a b", "c&d=e"), ("é", "+%\u{0}")]
    let text = FormEncoding.encode(fields)
    #expect(text == "a%20b=c%26d%3De&%C3%A9=%2B%25%00")
    #expect(FormEncoding.decode(text[...]) == ["a b": "c&d=e", "é": "+%\u{0}"])
    #expect(FormEncoding.decode("a=1+2") == ["a": "1 2"])
    for wrong in ["a=1&a=2", "a=%", "a=%G0", "a=%FF", "a=%c3"] { #expect(FormEncoding.decode(wrong[...]) == nil) }
  }

  @Test func `a pin is 32 bytes of base64`() throws {
    let text = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    #expect(try PublicKeyPin(base64: "sha256/" + text) == PublicKeyPin(subjectPublicKeyInfo: []))
    for wrong in ["", "AAAA", text + "=", text.replacing("=", with: ""), text.replacing("+", with: "-")] {
      #expect(throws: NetworkError.invalidTrust(wrong)) { try PublicKeyPin(base64: wrong) }
    }
  }
}
