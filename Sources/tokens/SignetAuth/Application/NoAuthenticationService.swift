/// In the place of a service that the factory does not make: nobody is signed in, and nobody signs in.
final class NoAuthenticationService: AuthenticationService {
  let authType: AuthType
  private let reason: any Error

  init(_ authType: AuthType, because reason: any Error) {
    self.authType = authType
    self.reason = reason
  }

  var isAuthenticated: Bool { false }
  var currentUser: User? { nil }

  func login(credentials: AuthCredentials) async throws -> AuthResult { throw reason }
  func logout() async throws {}
  func refreshAuth() async throws -> AuthResult? { throw reason }
}

extension AuthServiceFactory {
  /// The service, or one that says of each login why there is none.
  func serviceOrNone(for type: AuthType) -> any AuthenticationService {
    do { return try createService(for: type) } catch { return NoAuthenticationService(type, because: error) }
  }
}

/// In the place of a client for a program without a server.
struct NoNetworkClient: NetworkClient {
  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    throw NetworkError.unreachable(host: request.endpoint.host, reason: "no network client")
  }
}
