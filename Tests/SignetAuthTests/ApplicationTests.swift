import SignetAuth
import SignetAuthTestKit
import Testing

/// What an application does, with what is public alone.
@Suite struct ApplicationTests {
  private let storage = MemoryTokenStorage()
  private let time = ManualTime()

  private func container(_ authType: AuthType, client: any NetworkClient = ScriptedNetworkClient()) throws -> AuthContainer {
    let api = "https://api.example"
    let configuration = AuthConfiguration(
      account: "alice",
      jwt: JWTServer(obtain: try Endpoint(api + "/token"), refresh: try Endpoint(api + "/token/refresh")),
      oauth2: OAuth2Client(issuer: "https://id.example", clientID: "app"),
      localSession: LocalIssuer(issuer: ScriptedIssuer(user: User(id: "0", name: "local")), name: "signetd"))
    return try AuthContainer.build(
      configuration: configuration, authType: authType, storage: storage, client: client, time: time)
  }

  @Test func `one container signs in by each service in turn`() async throws {
    let script = ScriptedNetworkClient()
    let container = try container(.jwt, client: script)
    script.add(#"{"access":"a","refresh":"r","expires_in":300}"#)
    let password = try #require(Password("s3cret"))
    try await container.login(credentials: .password(username: "alice", password: password))
    #expect(container.isAuthenticated && container.currentUser?.name == "alice")
    let api = try #require(container.service as? any RequestSending)
    script.add("{}")
    #expect(try await api.send(NetworkRequest(try Endpoint("https://api.example/files"))).isSuccess)
    #expect(script.requests.last?.headers["Authorization"] == "Bearer a")
    try container.switchAuthType(to: .session)
    try await container.login(credentials: .local)
    #expect(container.currentUser?.name == "local")
    try container.switchAuthType(to: .oauth2)
    script.add("", status: 404)
    script.add("", status: 404)
    await #expect(throws: AuthError.oauth2(host: "id.example", .unsupported("discovery"))) {
      try await container.login(credentials: .browser)
    }
    #expect(!container.isAuthenticated)
    try container.switchAuthType(to: .jwt)
    #expect(container.currentUser?.name == "alice")
  }

  @Test func `an agent sees when to refresh, and locks`() async throws {
    let container = try container(.session)
    let service = try #require(container.service as? any TokenHolding)
    #expect(service.nextRefresh == nil)
    try await container.login(credentials: .local)
    let next = try #require(service.nextRefresh)
    #expect((time.now + 225...time.now + 270).contains(next))
    await service.lock()
    #expect(service.nextRefresh == nil && !container.isAuthenticated && service.state == .loginRequired(.vaultLocked))
    try await container.login(credentials: .stored)
    #expect(container.isAuthenticated)
    try await container.logout()
    #expect(await service.revokePending() == 0)
  }

  @Test func `changes come as a stream, too`() async throws {
    let container = try container(.session)
    let service = try #require(container.service as? any AuthStatePublishing)
    var states = service.states.makeAsyncIterator()
    #expect(await states.next() == .signedOut)
    try await container.login(credentials: .local)
    #expect(await states.next()?.user?.name == "local")
    try await container.logout()
    #expect(await states.next() == .signedOut)
  }

  @Test func `a password is never printed`() throws {
    let password = try #require(Password("s3cret"))
    var text = "\(password)"
    dump(AuthCredentials.password(username: "alice", password: password), to: &text)
    #expect(!text.contains("s3cret") && text.contains("alice"))
    #expect(Password("") == nil && Password(String(repeating: "a", count: Password.maximumSize + 1)) == nil)
  }

  @Test func `what a server writes into an error moves no cursor`() throws {
    let error = NetworkError.redirected(host: "a.example", to: "\u{1B}[2J\r\nhttps://evil.example/é")
    #expect(!"\(AuthError.network(error))".unicodeScalars.contains { $0.value < 0x20 || $0.value > 0x7E })
  }
}
