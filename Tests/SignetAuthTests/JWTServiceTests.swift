import SignetAuthTestKit
import SignetJWT
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct JWTServiceTests {
  private let script = ScriptedNetworkClient()
  private let storage = MemoryTokenStorage()
  private let time = ManualTime()
  private let key = SigningKey(keyID: "k")

  private func server() throws -> JWTServer {
    JWTServer(
      obtain: try Endpoint("https://api.example/token"), refresh: try Endpoint("https://api.example/token/refresh"),
      revoke: try Endpoint("https://api.example/token/blacklist"))
  }

  private func service(_ change: (inout JWTServer) -> Void = { _ in }) throws -> JWTAuthService {
    var server = try server()
    change(&server)
    return JWTAuthService(server: server, account: "alice", storage: storage, client: script, time: time, jitter: { 0 })
  }

  /// A token of a server whose clock is an hour ahead.
  private func access(_ number: Int, lifetime: Int = 300) throws -> String {
    let issued = Int(time.now) + 3600
    return try CompactJWS.sign(
      ["user_id": 7, "jti": .string("\(number)"), "iat": .integer(issued), "exp": .integer(issued + lifetime)], type: "JWT",
      by: key)
  }

  private func answer(_ access: String, refresh: String? = nil) {
    script.add(#"{"access":"\#(access)"\#(refresh.map { #","refresh":"\#($0)""# } ?? "")}"#)
  }

  private var credentials: AuthCredentials {
    get throws { .password(username: "alice", password: try #require(Password("s3cret"))) }
  }

  @Test func `a login sends name and password, and says who it is by the token`() async throws {
    let service = try service()
    answer(try access(1), refresh: "r1")
    let result = try await service.login(credentials: credentials)
    #expect(result.user == User(id: "7", name: "alice") && result.authType == .jwt && result.isStored)
    // The server's clock is an hour ahead: the token lives five minutes all the same.
    #expect(result.expiration == time.now + 300)
    #expect(service.isAuthenticated && service.currentUser?.id == "7")
    let request = try #require(script.requests.first)
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"password":"s3cret","username":"alice"}"#)
    #expect(request.endpoint.path == "/token" && request.method == .post)
  }

  @Test(arguments: [400, 401, 403]) func `a wrong password is refused`(status: Int) async throws {
    script.add(#"{"detail":"no"}"#, status: status)
    await #expect(throws: AuthError.refused(host: "api.example")) { try await service().login(credentials: credentials) }
    #expect(storage.calls.isEmpty)
  }

  @Test(
    arguments: [
      "", "garbage", "[]", "{}", #"{"access":"a"}"#, #"{"access":1,"refresh":"r"}"#, #"{"access":"a b","refresh":"r"}"#,
      #"{"access":"a","refresh":"r\r\nX: y"}"#, #"{"access":"a","refresh":null}"#, #"{"access":"a","access":"b","refresh":"r"}"#,
      #"{"access":"a","refresh":"r","expires_in":0}"#, #"{"access":"a","refresh":"r","expires_in":-1}"#,
    ])
  func `an answer that is none is refused, and nothing is stored`(text: String) async throws {
    script.add(text)
    await #expect {
      try await service().login(credentials: credentials)
    } throws: { error in
      if case AuthError.invalidResponse = error { true } else { false }
    }
    #expect(storage.calls.isEmpty)
  }

  @Test func `a token that is not verified by the server's keys is refused`() async throws {
    let profile = AccessTokenProfile(issuer: "https://api.example", audience: "api")
    let service = try service { $0.verification = .init(keys: JSONWebKeySet([key.publicKey]), profile: profile) }
    answer(try access(1), refresh: "r1")
    await #expect(throws: AuthError.token(host: "api.example", .unexpectedType("jwt"))) {
      try await service.login(credentials: credentials)
    }
    #expect(storage.calls.isEmpty)
  }

  @Test func `a request goes with the token, and once more with a new one where it is not taken`() async throws {
    let service = try service()
    let (first, second) = (try access(1), try access(2))
    answer(first, refresh: "r1")
    _ = try await service.login(credentials: credentials)
    script.add("{}", status: 401)
    answer(second, refresh: "r2")
    script.add(#"{"ok":true}"#)
    let response = try await service.send(NetworkRequest(try Endpoint("https://api.example/me")))
    #expect(response.status == 200 && script.stepsLeft == 0)
    #expect(script.requests.map { $0.headers["Authorization"] } == [nil, "Bearer " + first, nil, "Bearer " + second])
  }

  @Test func `a token goes to no other server`() async throws {
    let service = try service()
    answer(try access(1), refresh: "r1")
    _ = try await service.login(credentials: credentials)
    await #expect(throws: AuthError.notThisServer(host: "evil.example")) {
      try await service.send(NetworkRequest(try Endpoint("https://evil.example/me")))
    }
    #expect(script.requests.count == 1)
  }

  @Test func `an expired refresh token leads to the login`() async throws {
    let service = try service()
    answer(try access(1), refresh: "r1")
    _ = try await service.login(credentials: credentials)
    time.advance(by: 301)
    // What was refused once may be taken yet.
    for round in 1...2 {
      script.add(#"{"code":"token_not_valid"}"#, status: 401)
      await #expect(throws: AuthError.loginRequired(.refusedByServer)) { try await service.accessToken() }
      #expect(!service.isAuthenticated && service.state == .loginRequired(.refusedByServer))
      #expect(storage.tokens.isEmpty == (round == 2))
    }
    #expect(try await service.refreshAuth() == nil)
  }

  @Test func `a server that does not rotate keeps its refresh token`() async throws {
    let service = try service()
    answer(try access(1), refresh: "r1")
    _ = try await service.login(credentials: credentials)
    answer(try access(2))
    let result = try #require(try await service.refreshAuth())
    #expect(result.isStored && result.user.name == "alice")
    answer(try access(3))
    _ = try await service.refreshAuth()
    let stores = storage.calls.filter { if case .store = $0 { true } else { false } }
    // The second says that a refresh was asked for, which stays true.
    #expect(stores.count == 2)
    #expect(String(decoding: script.requests[2].body, as: UTF8.self) == #"{"refresh":"r1"}"#)
  }

  @Test(arguments: [500, 503, 429]) func `a server that is down does not sign out`(status: Int) async throws {
    let service = try service()
    answer(try access(1), refresh: "r1")
    _ = try await service.login(credentials: credentials)
    script.add("{}", status: status)
    await #expect(throws: AuthError.server(host: "api.example", status: status)) { try await service.refreshAuth() }
    #expect(service.isAuthenticated && storage.tokens.count == 1)
  }

  @Test func `a logout ends the refresh token at the server`() async throws {
    let service = try service()
    answer(try access(1), refresh: "r1")
    _ = try await service.login(credentials: credentials)
    script.add("{}")
    try await service.logout()
    #expect(script.requests.last?.endpoint.path == "/token/blacklist" && storage.tokens.isEmpty && !service.isAuthenticated)
  }

  @Test func `other credentials are refused`() async throws {
    await #expect(throws: AuthError.unsupportedCredentials(.jwt)) { try await service().login(credentials: .browser) }
  }
}
