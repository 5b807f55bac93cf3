import AuthTutorial
import SignetAuthTestKit
import Testing

/// `Tutorial` does what somebody expects who was taught such sources.
@Suite struct TutorialTests {
  private let storage = TwoMethodStorage()
  private let client = MockNetworkClient()
  private let alice = User(id: "alice", name: "Alice")

  private var password: AuthCredentials {
    get throws { .password(username: "alice", password: try #require(Password("s3cret"))) }
  }

  @Test func `a service of one's own signs in, asks and signs out`() async throws {
    try client.add(LoginResponse(token: "t-1", user: alice))
    let service = NoteService(storage: storage, client: client)
    #expect(try await service.login(credentials: .local) == AuthResult(user: alice, authType: .jwt))
    #expect(storage.tokens == ["notes": "t-1"] && service.isAuthenticated)
    let request = try #require(client.requests.first)
    #expect(request.method == .POST && request.endpoint.description == "https://api.example/auth/login")
    #expect(request.headers["X-App"] == "notes" && String(decoding: request.body, as: UTF8.self) == #"{"user":"alice"}"#)
    client.add("{}")
    #expect(try await service.refreshAuth()?.user == alice)
    #expect(client.requests.last?.endpoint.description == "https://api.example/notes?page=1")
    client.add("", status: 401)
    await #expect(throws: AuthError.tokenExpired) { try await service.refreshAuth() }
    try await service.logout()
    #expect(storage.tokens == ["notes": ""], "a storage that cannot erase writes over")
    #expect(!service.isAuthenticated)
  }

  @Test func `the services keep their tokens in a storage of two methods`() async throws {
    try client.add(LoginResponse(token: "a-1", refreshToken: "r-1", expiresIn: 300))
    let service = jwtService(storage: storage, client: client)
    let result = try await service.login(credentials: try password)
    #expect(result.isStored && result.user.id == "alice")
    #expect(storage.tokens.keys.sorted() == ["refresh https://api.example default"])
    #expect(storage.tokens.values.contains { $0.contains("r-1") })
    client.add("{}")
    try await service.logout()
    #expect(!service.isAuthenticated)
    #expect(!storage.tokens.values.contains { $0.contains("r-1") })
    // What was written over is no token.
    #expect(try await service.refreshAuth() == nil)
  }

  @Test func `what could not be stored is said`() async throws {
    try client.add(LoginResponse(token: "a-1", refreshToken: "r-1"))
    storage.shouldFail = true
    #expect(try await !jwtService(storage: storage, client: client).login(credentials: try password).isStored)
    let key = TokenKey(service: "s", account: "", kind: .session)
    #expect(throws: TokenStorageError.storeFailed) { try (storage as any TokenStorage).store(token: "t", for: key) }
  }

  @Test func `the container switches without try, and says where nothing is configured`() async throws {
    let model = LoginModel(container: standardContainer(storage: storage, client: client))
    #expect(model.container.authType == .session)
    model.use(.jwt)
    try client.add(LoginResponse(token: "a-1", refreshToken: "r-1"))
    await model.login(try password)
    #expect(model.message == "Welcome, alice" && model.container.isAuthenticated)
    model.use(.oauth2)
    #expect(model.message == "oauth2: false" && model.container.authType == .oauth2)
    await model.login(.browser)
    #expect(model.message == AuthError.notConfigured(.oauth2).description && !model.container.isAuthenticated)
    model.use(.jwt)
    #expect(model.container.isAuthenticated)
  }

  @Test func `a factory of one's own makes all three`() throws {
    for type in AuthType.allCases {
      let factory = NoteServiceFactory(storage: storage, client: client)
      #expect(try factory.createService(for: type).authType == type)
      #expect(AuthContainer(authServiceFactory: factory, authType: type).currentAuthService.authType == type)
    }
  }

  @Test func `a container without a server has the session of this login, and nobody is signed in`() async throws {
    let container = AuthContainer.build(tokenStorage: storage)
    #expect(container.authType == .session && !container.isAuthenticated)
    let password = try password
    await #expect(throws: AuthError.unsupportedCredentials(.session)) { try await container.login(credentials: password) }
    container.switchAuthType(.jwt)
    await #expect(throws: AuthError.notConfigured(.jwt)) { try await container.login(credentials: password) }
    let lone = JWTAuthService(tokenStorage: storage, networkClient: MockNetworkClient(baseURL: nil))
    await #expect(throws: AuthError.notConfigured(.jwt)) { try await lone.login(credentials: password) }
  }

  @Test func `a storage without a method keeps nothing, and says so`() {
    let storage = NoMethodStorage()
    #expect(throws: TokenStorageError.unavailable) { try storage.store(token: "t", for: "name") }
    let key = TokenKey(service: "s", account: "a", kind: .session)
    #expect(throws: TokenStorageError.unavailable) { try (storage as any TokenStorage).store(token: "t", for: key) }
    #expect(throws: TokenStorageError.unavailable) { try storage.retrieve(for: "name") }
  }

  @Test func `a name is kept as what lives long`() throws {
    let storage = MemoryTokenStorage()
    try storage.store(token: "t", for: "name")
    #expect(try storage.retrieve(for: "name") == "t" && storage.tokens.keys.first?.kind == .refresh)
    try storage.delete(for: "name")
    #expect(storage.tokens.isEmpty)
  }
}
