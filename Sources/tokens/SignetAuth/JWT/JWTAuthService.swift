/// Signs in by access and refresh tokens that rotate: of a server, or of signetd on this machine. Any thread may use it.
///
/// Make one for an account, in one process: two that refresh the same token look like a theft to the server.
public final class JWTAuthService: TokenService {
  public let authType = AuthType.jwt
  let keeper: TokenKeeper
  let host: String
  private let client: any NetworkClient
  private let resources: Set<Endpoint.Origin>

  /// A server's tokens.
  ///
  /// - Parameters:
  ///   - account: what the tokens are stored under: a name of the application's own.
  ///   - jitter: 0 to 1, at random: when in the last quarter of a token's life the next one is asked for.
  public convenience init(
    server: JWTServer, account: String, storage: any TokenStorage, client: any NetworkClient, time: any TimeSource = SystemTime(),
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.init(
      issuer: RemoteJWTIssuer(server: server, client: client, time: time), name: server.obtain.origin.description,
      account: account,
      resources: server.resources, storage: storage, client: client, time: time, jitter: jitter)
  }

  /// The tokens of any issuer: signetd's, or an application's own.
  ///
  /// - Parameters:
  ///   - name: what the issuer is called in the storage and in errors.
  ///   - resources: which servers the access token may be sent to.
  public init(
    issuer: any TokenIssuer, name: String, account: String, resources: Set<Endpoint.Origin>, storage: any TokenStorage,
    client: any NetworkClient, time: any TimeSource = SystemTime(),
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    keeper = TokenKeeper(
      issuer, storage, TokenKey(service: name, account: account, kind: .refresh), time: time, jitter: jitter)
    host = name
    self.client = client
    self.resources = resources
  }

  /// An access token that is good for some seconds at least.
  ///
  /// - Parameter rejected: one that a server did not take; then a new one is asked for.
  /// - Throws: `AuthError`.
  public func accessToken(insteadOf rejected: String? = nil) async throws -> String {
    try await keeper.tokens(insteadOf: rejected).accessToken
  }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    guard resources.contains(request.endpoint.origin) else { throw AuthError.notThisServer(host: request.endpoint.host) }
    return try await send(request, by: client) { request, held in
      var request = request
      request.headers["Authorization"] = "Bearer " + held.accessToken
      return request
    }
  }
}
