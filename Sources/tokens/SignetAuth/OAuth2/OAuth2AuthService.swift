/// Signs in by an identity provider: OAuth 2.0 and OpenID Connect, in the user's own process. Any thread may use it.
///
/// `login` takes `.browser`, `.device`, and `.stored` for what an earlier one left. Make one for an account, in one process.
public final class OAuth2AuthService: TokenService {
  public let authType = AuthType.oauth2
  let keeper: TokenKeeper
  let host: String
  private let network: any NetworkClient
  private let resources: Set<Endpoint.Origin>
  private let proofs: DPoPSession?
  let callback: AwaitedCallback
  private let time: any TimeSource

  /// How a sign-in is shown, and how long it may take.
  public struct Interaction: Sendable {
    public var browser: any BrowserOpener
    /// Shows the code for another device; `nil` where that is not offered.
    public var showDevicePrompt: (@Sendable (DevicePrompt) async -> Void)?
    /// Asks the owner whether it is their account that was signed in to, before anything of it is kept; who it was is `nil` where the
    /// provider does not say. What is not confirmed is revoked, and the login `cancelled`.
    public var confirm: (@Sendable (User?) async -> Bool)?
    /// How long the owner may take in the browser.
    public var signInTimeout: Duration
    public var clock: any Clock<Duration>

    public init(
      browser: any BrowserOpener = DesktopBrowser(), showDevicePrompt: (@Sendable (DevicePrompt) async -> Void)? = nil,
      confirm: (@Sendable (User?) async -> Bool)? = nil,
      signInTimeout: Duration = .seconds(300), clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.browser = browser
      self.showDevicePrompt = showDevicePrompt
      self.confirm = confirm
      self.signInTimeout = signInTimeout
      self.clock = clock
    }
  }

  /// - Parameters:
  ///   - account: what the tokens are stored under: a name of the application's own.
  ///   - network: should retry what is idempotent only (`RetryingNetworkClient`): a code and a refresh token count once.
  ///   - jitter: 0 to 1, at random: when in the last quarter of a token's life the next one is asked for.
  public init(
    client: OAuth2Client, account: String, storage: any TokenStorage, network: any NetworkClient,
    interaction: Interaction = Interaction(), time: any TimeSource = SystemTime(),
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    let proofs = client.proofKey.map { DPoPSession(key: $0, time: time) }
    let endpoint = TokenEndpoint(
      provider: Provider(issuer: client.issuer, unlisted: client.unlisted, client: network, time: time), client: client,
      proofs: proofs, time: time)
    let callback = AwaitedCallback()
    let code = AuthorizationCodeFlow(
      client: client, endpoint: endpoint, browser: interaction.browser, callback: callback,
      signInTimeout: interaction.signInTimeout, clock: interaction.clock)
    let device = interaction.showDevicePrompt.map {
      DeviceGrant(client: client, endpoint: endpoint, show: $0, clock: interaction.clock, time: time)
    }
    let issuer = OAuth2Issuer(
      client: client, endpoint: endpoint, code: code, device: device, time: time, account: account, confirm: interaction.confirm)
    keeper = TokenKeeper(
      issuer, storage, TokenKey(service: client.issuer, account: account, kind: .refresh), time: time, jitter: jitter)
    host = endpoint.provider.host
    self.network = network
    self.proofs = proofs
    self.callback = callback
    self.time = time
    resources = client.resources
  }

  public func login(credentials: AuthCredentials) async throws -> AuthResult {
    guard case .browser = credentials else { return try await signIn(credentials) }
    return try await callback.following { try await signIn(credentials) }
  }

  /// An access token that is good for some seconds at least. One that is bound to a key is of use with `send` alone.
  ///
  /// - Parameter rejected: one that a server did not take; then a new one is asked for.
  /// - Throws: `AuthError`.
  public func accessToken(insteadOf rejected: String? = nil) async throws -> String {
    try await keeper.tokens(insteadOf: rejected).accessToken
  }

  /// The same, for programs that keep it: with when it expires, in seconds since 1970, where the provider said so.
  ///
  /// - Throws: `AuthError`.
  public func timedAccessToken() async throws -> TimedToken {
    let held = try await keeper.tokens()
    return TimedToken(held.accessToken, expiration: held.expiration)
  }

  /// The ID token, for services that want to know from the provider itself who asks. It tells more of the owner than an access token,
  /// and its audience is this client, so that only who trusts this client's tokens takes it.
  ///
  /// - Throws: `AuthError`; `oauth2` with `unsupported` where the provider gave none, or gives a new one with a new sign-in only.
  public func idToken() async throws -> TimedToken {
    let held = try await keeper.tokens()
    // A refresh that brought none would do so again.
    guard let token = held.idToken else { throw noIDToken }
    if token.isUsable(at: time.now) { return token }
    guard let next = try await keeper.tokens(insteadOf: held.accessToken).idToken, next.isUsable(at: time.now) else {
      throw noIDToken
    }
    return next
  }

  /// Waits until no refresh is under way: to be called before the process ends, so that what the provider gives is stored.
  public func settle() async { await keeper.settle() }

  private var noIDToken: AuthError { .oauth2(host: host, .unsupported("an ID token without a new sign-in")) }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    guard resources.contains(request.endpoint.origin) else { throw AuthError.notThisServer(host: request.endpoint.host) }
    guard let proofs else {
      return try await send(request, by: network) { request, held in
        var request = request
        request.headers["Authorization"] = "Bearer " + held.accessToken
        return request
      }
    }
    return try await send(request, by: ProvingClient(client: network, proofs: proofs)) { request, held in
      var request = request
      request.headers["Authorization"] = "DPoP " + held.accessToken
      return request
    }
  }
}

/// Puts a proof to each request that has a bound token, and sends it once more where the server wants a nonce (RFC 9449, 9).
private struct ProvingClient: NetworkClient {
  let client: any NetworkClient
  let proofs: DPoPSession

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let token = (request.headers["Authorization"] ?? "").split(separator: " ").last.map(String.init)
    var request = request
    // A proof is for one URL.
    request.redirectLimit = 0
    for attempt in 1...2 {
      request.headers["DPoP"] = try proofs.proof(for: request, accessToken: token)
      let response = try await client.send(request)
      if proofs.take(response, from: request.endpoint), attempt == 1 { continue }
      return response
    }
    throw AuthError.cancelled
  }
}
