import SignetAuthTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct CookieTests {
  private let time: Double = 1_000_000

  private func cookie(_ text: String, from url: String = "https://login.example/accounts/login") throws -> Cookie? {
    Cookie(setCookie: text, from: try Endpoint(url), at: time)
  }

  private func goes(_ cookie: Cookie?, to url: String, after seconds: Double = 0) throws -> Bool {
    try cookie?.goes(to: Endpoint(url), at: time + seconds) ?? false
  }

  @Test func `name, value and attributes are read`() throws {
    let cookie = try #require(try cookie("sessionid = abc ; Path=/; HttpOnly; secure; Max-Age=60; SameSite=Lax"))
    #expect(cookie.name == "sessionid" && cookie.value == "abc" && cookie.path == "/" && cookie.isSecure && cookie.isHTTPOnly)
    #expect(cookie.expiration == time + 60)
    #expect(try self.cookie("a=b; Expires=Tue, 29-Feb-2000 12:00:00 GMT")?.expiration == 951_825_600)
    #expect(try self.cookie("a=b; Max-Age=0")?.expiration == 0 && self.cookie("a=b; Max-Age=x")?.expiration == nil)
  }

  @Test func `a cookie goes to its path and below, and nowhere else`() throws {
    let own = try cookie("a=b")
    #expect(own?.path == "/accounts")
    #expect(try goes(own, to: "https://login.example/accounts") && goes(own, to: "https://login.example/accounts/x"))
    #expect(try !goes(own, to: "https://login.example/accountsx") && !goes(own, to: "https://login.example/"))
    #expect(try goes(cookie("a=b; Path=relative"), to: "https://login.example/accounts/"))
  }

  @Test func `a cookie of TLS does not go without it, and does not come without it`() throws {
    #expect(try !goes(cookie("a=b; Secure; Path=/"), to: "http://127.0.0.1/"))
    #expect(try cookie("a=b; Secure", from: "http://127.0.0.1/") == nil)
  }

  @Test func `a cookie expires`() throws {
    let cookie = try cookie("a=b; Path=/; Max-Age=60")
    #expect(try goes(cookie, to: "https://login.example/", after: 59) && !goes(cookie, to: "https://login.example/", after: 60))
  }

  @Test(arguments: ["Domain=login.example", "Domain=.login.example", "Domain=LOGIN.EXAMPLE", "Domain="])
  func `a domain may be the host's`(attribute: String) throws { #expect(try cookie("a=b; " + attribute) != nil) }

  @Test(arguments: ["Domain=example", "Domain=evil.example", "Domain=ogin.example", "Domain=x.login.example"])
  func `a cookie for another domain is dropped`(attribute: String) throws { #expect(try cookie("a=b; " + attribute) == nil) }

  @Test func `an address has no larger domain`() throws {
    #expect(try cookie("a=b; Domain=0.0.1", from: "http://127.0.0.1/") == nil)
    #expect(try cookie("a=b; Domain=127.0.0.1", from: "http://127.0.0.1/") != nil)
  }

  @Test func `a name's prefix is a promise`() throws {
    #expect(try cookie("__Host-a=b; Secure; Path=/") != nil)
    for wrong in ["__Host-a=b; Path=/", "__Host-a=b; Secure", "__host-a=b; Secure; Path=/; Domain=login.example", "__Secure-a=b"]
    {
      #expect(try cookie(wrong) == nil)
    }
  }

  @Test(arguments: ["", "a", "=b", "a b=c", "a=b c", "a=\"b\r\nX: y\"", "a=b,c", "a=\u{7F}", "é=b", "a\"=b"])
  func `what is no cookie is dropped`(text: String) throws { #expect(try cookie(text) == nil) }

  @Test func `large cookies and too many are dropped`() throws {
    #expect(try cookie("a=" + String(repeating: "b", count: Cookie.maximumSize)) == nil)
    let endpoint = try Endpoint("https://login.example/")
    var jar = CookieJar(endpoint.origin)
    for number in 0..<100 {
      jar.take(NetworkResponse(status: 200, headers: ["Set-Cookie": "c\(number)=1"]), from: endpoint, at: time)
    }
    #expect(jar.cookies.count == CookieJar.maximumCount && jar.cookies.last?.name == "c99")
  }

  @Test func `a jar replaces, deletes, and sends the longest path first`() throws {
    let endpoint = try Endpoint("https://login.example/a/b")
    var jar = CookieJar(endpoint.origin)
    func set(_ text: String) { jar.take(NetworkResponse(status: 200, headers: ["Set-Cookie": text]), from: endpoint, at: time) }
    set("x=1; Path=/")
    set("y=2; Path=/a")
    set("z=3; Path=/")
    set("x=4; Path=/")
    #expect(jar.header(for: endpoint, at: time) == "y=2; z=3; x=4")
    set("y=; Path=/a; Max-Age=0")
    #expect(jar.header(for: endpoint, at: time) == "z=3; x=4")
    #expect(jar.header(for: try Endpoint("https://other.example/a"), at: time) == nil)
    #expect(CookieJar(jar.text, endpoint.origin) == jar)
    #expect(CookieJar("{}", endpoint.origin) == nil)
  }

  @Test func `a jar takes nothing from another origin`() throws {
    var jar = CookieJar(try Endpoint("https://login.example/").origin)
    let other = try Endpoint("https://login.example:8443/")
    jar.take(NetworkResponse(status: 200, headers: ["Set-Cookie": "x=1"]), from: other, at: time)
    #expect(jar.cookies.isEmpty)
  }
}
