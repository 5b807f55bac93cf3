import SignetAuthTestKit
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct SessionServiceTests {
  private let django = FakeDjango()
  private let storage = MemoryTokenStorage()
  private let time = ManualTime()

  private func service(user: Bool = true) throws -> SessionAuthService {
    let server = try SessionServer(
      login: try Endpoint("https://site.example/login/"), logout: try Endpoint("https://site.example/logout/"),
      user: user ? try Endpoint("https://site.example/me/") : nil)
    return SessionAuthService(server: server, account: "alice", storage: storage, client: django, time: time, jitter: { 0 })
  }

  private func credentials(_ password: String = "s3cret") throws -> AuthCredentials {
    .password(username: "alice", password: try #require(Password(password)))
  }

  @Test func `a login is a form with a token against forged requests`() async throws {
    let service = try service()
    let result = try await service.login(credentials: credentials())
    #expect(result.user == User(id: "7", name: "alice") && result.isStored && service.isAuthenticated)
    #expect(result.expiration == time.now + 1000)
    #expect(django.log == ["GET /login/", "POST /login/", "GET /me/"])
  }

  @Test func `a wrong password shows the form again, and is refused`() async throws {
    await #expect(throws: AuthError.refused(host: "site.example")) { try await service().login(credentials: credentials("x")) }
    #expect(storage.calls.isEmpty)
  }

  @Test func `requests go with the session, and those that change something with the token, too`() async throws {
    let service = try service()
    _ = try await service.login(credentials: credentials())
    #expect(try await service.send(NetworkRequest(try Endpoint("https://site.example/me/"))).status == 200)
    #expect(try await service.send(NetworkRequest(try Endpoint("https://site.example/change/"), method: .post)).status == 200)
    await #expect(throws: AuthError.notThisServer(host: "other.example")) {
      try await service.send(NetworkRequest(try Endpoint("https://other.example/me/")))
    }
  }

  @Test func `a token that the server changes is kept`() async throws {
    let service = try service()
    _ = try await service.login(credentials: credentials())
    let change = NetworkRequest(try Endpoint("https://site.example/change/"), method: .post)
    _ = try await service.send(change)
    django.rotate()
    _ = try await service.send(NetworkRequest(try Endpoint("https://site.example/me/")))
    #expect(try await service.send(change).status == 200)
    let after = try self.service()
    #expect(try await after.login(credentials: .stored).user.id == "7")
    #expect(try await after.send(change).status == 200)
  }

  @Test func `a session that the server ended leads to the login`() async throws {
    let service = try service()
    _ = try await service.login(credentials: credentials())
    django.endSessions()
    await #expect(throws: AuthError.loginRequired(.refusedByServer)) { try await service.refreshAuth() }
    #expect(service.state == .loginRequired(.refusedByServer) && storage.tokens.isEmpty)
  }

  @Test func `a request that the server takes for nobody's ends the session here, too`() async throws {
    let service = try service(user: false)
    _ = try await service.login(credentials: credentials())
    django.endSessions()
    await #expect(throws: AuthError.loginRequired(.refusedByServer)) {
      try await service.send(NetworkRequest(try Endpoint("https://site.example/me/")))
    }
    #expect(!service.isAuthenticated && storage.tokens.isEmpty)
  }

  @Test func `a logout ends the session there`() async throws {
    let service = try service()
    _ = try await service.login(credentials: credentials())
    try await service.logout()
    #expect(django.sessions == 0 && storage.tokens.isEmpty && !service.isAuthenticated)
  }

  @Test func `a session whose cookie expired is over`() async throws {
    let service = try service(user: false)
    _ = try await service.login(credentials: credentials())
    time.advance(by: 1001)
    await #expect(throws: AuthError.loginRequired(.refusedByServer)) { try await service.sessionToken() }
  }

  @Test func `endpoints of two origins are refused`() throws {
    #expect(throws: NetworkError.invalidURL("https://b.example/")) {
      try SessionServer(login: try Endpoint("https://a.example/"), logout: try Endpoint("https://b.example/"))
    }
  }
}

/// A site as Django makes it: sessions and tokens in cookies, and POST only with both.
private final class FakeDjango: NetworkClient {
  private struct Site {
    var csrf = "c1"
    var sessions: Set<String> = []
    var made = 0
    var log: [String] = []
    var isRotated = false
  }

  private let site = Mutex(Site())

  var log: [String] { site.withLock { $0.log } }
  var sessions: Int { site.withLock { $0.sessions.count } }

  func endSessions() { site.withLock { $0.sessions = [] } }
  /// The next answer sets another token against forged requests.
  func rotate() {
    site.withLock {
      $0.csrf = "c2"
      $0.isRotated = true
    }
  }

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    site.withLock { site in
      site.log.append("\(request.method.rawValue) \(request.endpoint.path)")
      let cookies = (request.headers["Cookie"] ?? "").split(separator: "; ").map(String.init)
      if request.method == .post, !isFromHere(request, cookies, site) { return NetworkResponse(status: 403) }
      let session = cookies.first { $0.hasPrefix("sessionid=") }.map { String($0.dropFirst(10)) } ?? ""
      return answer(request, site.sessions.contains(session) ? session : nil, &site)
    }
  }

  private func isFromHere(_ request: NetworkRequest, _ cookies: [String], _ site: Site) -> Bool {
    cookies.contains("csrftoken=" + site.csrf) && request.headers["X-CSRFToken"] == site.csrf
      && request.headers["Origin"] == "https://site.example" && request.headers["Referer"] == "https://site.example/login/"
  }

  private func answer(_ request: NetworkRequest, _ session: String?, _ site: inout Site) -> NetworkResponse {
    switch (request.method, request.endpoint.path) {
    case (.get, "/login/"):
      return NetworkResponse(status: 200, headers: ["Set-Cookie": "csrftoken=\(site.csrf); Path=/; Secure; SameSite=Lax"])
    case (.post, "/login/"):
      guard String(decoding: request.body, as: UTF8.self) == "username=alice&password=s3cret" else {
        return NetworkResponse(status: 200)
      }
      site.made += 1
      site.sessions.insert("s\(site.made)")
      let cookie = "sessionid=s\(site.made); Path=/; Secure; HttpOnly; Max-Age=1000"
      return NetworkResponse(status: 302, headers: ["Location": "/", "Set-Cookie": cookie])
    case (.post, "/logout/"):
      if let session { site.sessions.remove(session) }
      return NetworkResponse(status: 302, headers: ["Location": "/", "Set-Cookie": "sessionid=; Path=/; Max-Age=0"])
    case (.get, "/me/"):
      guard session != nil else { return NetworkResponse(status: 401) }
      let headers: NetworkHeaders = site.isRotated ? ["Set-Cookie": "csrftoken=\(site.csrf); Path=/; Secure"] : [:]
      return NetworkResponse(status: 200, headers: headers, body: Array(#"{"id":7,"username":"alice"}"#.utf8))
    default: return NetworkResponse(status: session == nil ? 401 : 200)
    }
  }
}
