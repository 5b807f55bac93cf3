import Glibc
import SignetAuthTestKit
import SignetJWT
import SignetTestKit
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct AuthorizationCodeTests {
  private let time = ManualTime()
  private let storage = MemoryTokenStorage()
  private let provider: FakeProvider

  init() { provider = FakeProvider(time: time) }

  private func service(
    _ browser: any BrowserOpener, signInTimeout: Duration = .seconds(300), _ change: (inout OAuth2Client) -> Void = { _ in },
    confirm: (@Sendable (User?) async -> Bool)? = nil
  ) throws -> OAuth2AuthService {
    var client = OAuth2Client(
      issuer: FakeProvider.issuer, clientID: "app", resources: [try Endpoint("https://id.example/").origin])
    change(&client)
    return OAuth2AuthService(
      client: client, account: "a", storage: storage, network: provider,
      interaction: .init(browser: browser, confirm: confirm, signInTimeout: signInTimeout), time: time, jitter: { 0 })
  }

  private func failure(_ answer: @escaping FakeBrowser.Answer) async throws -> AuthError? {
    do {
      _ = try await service(try FakeBrowser(provider, answer)).login(credentials: .browser)
      return nil
    } catch let error as AuthError { return error }
  }

  @Test func `a sign-in goes through the browser and back`() async throws {
    let browser = try FakeBrowser(provider)
    let service = try service(browser)
    let result = try await service.login(credentials: .browser)
    #expect(result.user == User(id: "alice", name: "Alice") && result.isStored && result.expiration == time.now + 300)
    #expect(service.isAuthenticated)
    let asked = browser.asked
    #expect(asked["response_type"] == "code" && asked["client_id"] == "app" && asked["scope"] == "openid")
    #expect(asked["code_challenge_method"] == "S256" && asked["code_challenge"]?.utf8.count == 43)
    #expect(asked["state"]?.utf8.count == 43 && asked["nonce"]?.utf8.count == 43 && asked["state"] != asked["nonce"])
    #expect(asked["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
    try await browser.finish()
    #expect(browser.statuses == [302, 200])
    let form = try #require(provider.forms("/o/token").first)
    #expect(PKCE(verifier: form["code_verifier"] ?? "").challenge == asked["code_challenge"])
  }

  @Test func `what the browser is opened with says nothing of the request`() async throws {
    let browser = try FakeBrowser(provider)
    _ = try await service(browser).login(credentials: .browser)
    for secret in ["state", "nonce", "code_challenge"] { #expect(!browser.page.contains(try #require(browser.asked[secret]))) }
  }

  @Test func `no argument of the browser tells of the page, and the file that leads there is its owner's`() async throws {
    let folder = try TemporaryFolder()
    let script = """
      #!/bin/sh
      { printf '%s\\n' "$@"; stat -c '%a %u' "$1"; cat "$1"; } > '\(folder.path)/seen'

      """
    try RawFile.create(folder.path + "/xdg-open", Array(script.utf8))
    chmod(folder.path + "/xdg-open", 0o755)
    let page = "http://127.0.0.1:1/secret"
    let browser = DesktopBrowser(environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
    let opening = Task { try await browser.open(page) }
    try wait(for: "the browser") { (try? RawFile.text(folder.path + "/seen"))?.contains("</a>") == true }
    let lines = try RawFile.text(folder.path + "/seen").split(separator: "\n")
    #expect(!lines[0].contains("secret") && lines[1] == "600 \(geteuid())")
    #expect(lines.contains { $0.contains("url=\(page)\"") })
    opening.cancel()
    _ = await opening.result
    #expect(access(String(lines[0]), F_OK) != 0)
  }

  @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/curl", X_OK) == 0, "needs root, to be another user, and curl"))
  func `another user's process is not let in, and the owner's browser still is`() async throws {
    let browser = StrangerFirst(try FakeBrowser(provider))
    _ = try await service(browser).login(credentials: .browser)
    try await browser.browser.finish()
    // 52 and 56: nothing came, or the connection was closed.
    #expect([52, 56].contains(browser.answers.first) && browser.browser.statuses == [302, 200])
  }

  @Test func `what the owner does not confirm is revoked, and not kept`() async throws {
    let asked = Mutex<[User?]>([])
    let service = try service(
      try FakeBrowser(provider),
      confirm: { user in
        asked.withLock { $0.append(user) }
        return false
      })
    await #expect(throws: AuthError.cancelled) { try await service.login(credentials: .browser) }
    #expect(asked.withLock { $0 } == [User(id: "alice", name: "Alice")] && storage.tokens.isEmpty && !service.isAuthenticated)
    #expect(provider.forms("/o/revoke").map { $0["token"] } == ["refresh-2"])
  }

  @Test func `what the owner confirms late has lived meanwhile`() async throws {
    let service = try service(
      try FakeBrowser(provider),
      confirm: { [time] _ in
        time.advance(by: 100)
        return true
      })
    #expect(try await service.login(credentials: .browser).expiration == time.now + 200)
  }

  @Test func `of a provider that names nobody the owner is asked as well`() async throws {
    let asked = Mutex<[User?]>([])
    let service = try service(
      try FakeBrowser(provider), { $0.scopes = ["read"] },
      confirm: { user in
        asked.withLock { $0.append(user) }
        return true
      })
    _ = try await service.login(credentials: .browser)
    #expect(asked.withLock { $0 } == [nil])
  }

  @Test func `an error of the provider is told`() async throws {
    let error = try await failure { asked, _ in
      [("error", "access_denied"), ("state", asked["state"] ?? ""), ("iss", FakeProvider.issuer)]
    }
    #expect(error == .oauth2(host: "id.example", .code("access_denied")))
    #expect(provider.forms("/o/token").isEmpty)
  }

  @Test func `a refusal without a state ends the waiting, and an answer without one does not`() async throws {
    let refusal = try await failure { _, _ in [("error", "access_denied")] }
    #expect(refusal == .oauth2(host: "id.example", .code("access_denied")))
    let browser = try FakeBrowser(provider) { _, code in [("code", code)] }
    let service = try service(browser, signInTimeout: .milliseconds(50))
    await #expect(throws: AuthError.oauth2(host: "id.example", .timedOut)) { try await service.login(credentials: .browser) }
  }

  @Test func `an answer that names another issuer, or none, is a mix-up`() async throws {
    let other = try await failure { asked, code in
      [("code", code), ("state", asked["state"] ?? ""), ("iss", "https://evil.example")]
    }
    #expect(other == .oauth2(host: "id.example", .issuerMismatch))
    let none = try await failure { asked, code in [("code", code), ("state", asked["state"] ?? "")] }
    #expect(none == .oauth2(host: "id.example", .issuerMismatch))
    #expect(provider.forms("/o/token").isEmpty)
  }

  @Test func `an answer without an issuer is taken of a provider that never names it`() async throws {
    provider.change { $0.metadata["authorization_response_iss_parameter_supported"] = false }
    #expect(try await failure { asked, code in [("code", code), ("state", asked["state"] ?? "")] } == nil)
  }

  /// Each wrong visit comes first; the right answer is still waited for, and taken.
  @Test func `answers that are not the browser's own are refused, and do not end the sign-in`() async throws {
    let browser = HostileVisits(try FakeBrowser(provider), provider)
    _ = try await service(browser).login(credentials: .browser)
    try await browser.browser.finish()
    #expect(browser.refused == [400, 400, 400, 400, 400, 400, 400, 400] && browser.last == 200)
  }

  @Test func `connections that say nothing, too much or nonsense keep the browser from nothing`() async throws {
    let browser = NoisyVisits(try FakeBrowser(provider))
    _ = try await service(browser).login(credentials: .browser)
    try await browser.browser.finish()
    #expect(browser.browser.statuses == [302, 200] && browser.answers.allSatisfy(\.isEmpty))
  }

  @Test func `a browser that does not open ends the sign-in`() async throws {
    struct None: BrowserOpener {
      func open(_ url: String) async throws { throw OAuth2Error.noBrowser }
    }
    await #expect(throws: AuthError.oauth2(host: "id.example", .noBrowser)) {
      try await service(None()).login(credentials: .browser)
    }
  }

  @Test func `an owner who does not answer is not waited for without end`() async throws {
    struct Idle: BrowserOpener {
      func open(_ url: String) async throws {}
    }
    await #expect(throws: AuthError.oauth2(host: "id.example", .timedOut)) {
      try await service(Idle(), signInTimeout: .milliseconds(50)).login(credentials: .browser)
    }
  }

  @Test func `a port that is taken is said`() async throws {
    let taken = try LoopbackServer { _ in .response(200) }
    await #expect(throws: AuthError.oauth2(host: "id.example", .portTaken(taken.port))) {
      try await service(FakeBrowser(provider)) { $0.redirectPort = taken.port }.login(credentials: .browser)
    }
  }

  @Test func `a code that somebody else redeemed is worth nothing`() async throws {
    let error = try await failure { asked, _ in
      [("code", "stolen"), ("state", asked["state"] ?? ""), ("iss", FakeProvider.issuer)]
    }
    #expect(error == .oauth2(host: "id.example", .code("invalid_grant")))
    #expect(storage.tokens.isEmpty)
  }

  @Test(
    arguments: [
      ("nonce", "other", JWTError.unexpectedClaim("nonce")), ("iss", "https://evil.example", .unexpectedClaim("iss")),
      ("aud", "other", .unexpectedClaim("aud")), ("azp", "other", .unexpectedClaim("azp")),
      ("at_hash", "AAAA", .unexpectedClaim("at_hash")), ("exp", 1, .expired), ("iat", 4_000_000_000, .notYetValid),
      ("nbf", 4_000_000_000, .notYetValid), ("sub", "", .invalidMember("sub")),
    ] as [(String, JSONValue, JWTError)])
  func `an ID token that is wrong in one thing is refused`(name: String, value: JSONValue, error: JWTError) async throws {
    provider.change { $0.idClaims[name] = value }
    await #expect(throws: AuthError.token(host: "id.example", error)) {
      try await service(FakeBrowser(provider)).login(credentials: .browser)
    }
    #expect(storage.tokens.isEmpty)
  }

  @Test func `an old sign-in at the provider is refused where a new one was asked for`() async throws {
    provider.change { [time] in $0.idClaims["auth_time"] = .integer(Int(time.now) - 200) }
    await #expect(throws: AuthError.token(host: "id.example", .tooOld)) {
      try await service(FakeBrowser(provider)) { $0.maximumAge = 60 }.login(credentials: .browser)
    }
  }

  @Test func `an answer without an ID token is refused where one was asked for`() async throws {
    provider.change { $0.tokenFields["id_token"] = .null }
    await #expect(throws: AuthError.invalidResponse(host: "id.example", what: "no ID token")) {
      try await service(FakeBrowser(provider)).login(credentials: .browser)
    }
  }

  @Test func `a provider without PKCE by SHA-256 is not used`() async throws {
    provider.change { $0.metadata["code_challenge_methods_supported"] = ["plain"] }
    await #expect(throws: AuthError.oauth2(host: "id.example", .unsupported("PKCE with S256"))) {
      try await service(FakeBrowser(provider)).login(credentials: .browser)
    }
  }
}

/// Somebody else has read the address, and gets to it first.
private final class StrangerFirst: BrowserOpener {
  let browser: FakeBrowser
  private let ends = Mutex<[Int32]>([])

  init(_ browser: FakeBrowser) { self.browser = browser }

  /// How curl ended.
  var answers: [Int32] { ends.withLock { $0 } }

  func open(_ url: String) async throws {
    let stranger = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    // One who waits for the answer, and one who sends and goes: of a socket that nobody has the kernel says that it is root's.
    let authority = url.dropFirst("http://".count).prefix { $0 != "/" }
    let (host, port) = (authority.prefix { $0 != ":" }, authority.drop { $0 != ":" }.dropFirst())
    let path = url.dropFirst("http://\(authority)".count)
    let request = "printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' '\(path)' '\(authority)'"
    let sending = "exec 3<>/dev/tcp/\(host)/\(port); \(request) >&3"
    for words in [["curl", "-s", "--noproxy", "*", url], ["bash", "-c", sending]] {
      let end = try Program(stranger + words, environment: ["PATH=/usr/bin:/bin"]).waitForExit()
      ends.withLock { $0.append(end) }
    }
    try await browser.open(url)
  }
}

/// What speaks no HTTP gets to the listener first, and more of it than there may be connections.
private final class NoisyVisits: BrowserOpener {
  let browser: FakeBrowser
  private let heard = Mutex<[[UInt8]]>([])

  init(_ browser: FakeBrowser) { self.browser = browser }

  /// What those got that were answered or closed.
  var answers: [[UInt8]] { heard.withLock { $0 } }

  func open(_ url: String) async throws {
    let port = try Endpoint(url).origin.port
    let silent = try (0..<20).map { _ in try LoopbackClient(port: port) }
    let texts = ["GET / HTTP/1.1\r\nno field\r\n\r\n", "nonsense\r\n\r\n", String(repeating: "x", count: 33 << 10)]
    for text in texts {
      let client = try LoopbackClient(port: port)
      heard.withLock { $0.append(client.exchange(text)) }
    }
    try await browser.open(url)
    withExtendedLifetime(silent) {}
  }
}

/// Others than the browser get to the listener first.
private final class HostileVisits: BrowserOpener {
  let browser: FakeBrowser
  private let provider: FakeProvider
  private let answers = Mutex((refused: [Int](), last: 0))

  init(_ browser: FakeBrowser, _ provider: FakeProvider) {
    self.browser = browser
    self.provider = provider
  }

  var refused: [Int] { answers.withLock { $0.refused } }
  var last: Int { answers.withLock { $0.last } }

  func open(_ url: String) async throws { try await browser.run { try await self.visit(url) } }

  private func visit(_ url: String) async throws {
    let (asked, cookie) = try await browser.start(url)
    let redirect = asked["redirect_uri"] ?? ""
    let right = FakeBrowser.right(asked, provider.authorize(asked))
    let full = try Endpoint(redirect).adding(right).description
    var statuses: [Int] = []
    // A second browser: without the cookie, with another one, at the first page again.
    statuses.append(try await browser.bring(right, to: redirect, cookie: nil))
    statuses.append(try await browser.bring(right, to: redirect, cookie: cookie + "x"))
    statuses.append(try await browser.visit(url).status)
    // Another state, none, and a field twice.
    statuses.append(try await browser.bring([("code", "c"), ("state", "x")], to: redirect, cookie: cookie))
    statuses.append(try await browser.bring([("code", "c")], to: redirect, cookie: cookie))
    statuses.append(try await browser.bring(right + [("state", asked["state"] ?? "")], to: redirect, cookie: cookie))
    // A page whose name was made to mean this machine, and another path.
    statuses.append(try await browser.visit(full, cookie: cookie, host: "evil.example").status)
    statuses.append(try await browser.visit(full.replacing("/callback", with: "/other"), cookie: cookie).status)
    let last = try await browser.bring(right, to: redirect, cookie: cookie)
    answers.withLock { $0 = (statuses, last) }
  }
}
