/// Signs in and out by one kind of token. Any thread may use it.
public protocol AuthenticationService: AnyObject, Sendable {
  var authType: AuthType { get }

  /// Whether somebody is signed in: nothing is asked for it, so a server may know better.
  var isAuthenticated: Bool { get }

  /// Who is signed in.
  var currentUser: User? { get }

  /// Signs in; what was there before is replaced.
  ///
  /// - Throws: `AuthError`; the state is as it was before.
  func login(credentials: AuthCredentials) async throws -> AuthResult

  /// Signs out: first here, so that nothing is left whatever comes after, then at the server.
  ///
  /// - Throws: `AuthError.notRevoked` where the server could not be told. Here it is done all the same.
  func logout() async throws

  /// Brings what is there up to date: a new access token, or the session's standing.
  ///
  /// - Returns: `nil` where nobody is signed in and nothing is stored.
  /// - Throws: `AuthError`; `loginRequired` where only a login helps.
  func refreshAuth() async throws -> AuthResult?
}

/// A service that tells of its changes. All three here do.
public protocol AuthStatePublishing: AuthenticationService {
  var state: AuthState { get }

  /// Has `body` called with the present state, then at each change: in their order, one call after the other, on a thread
  /// that makes a change. It ends with the observation that is returned.
  func observe(_ body: @escaping @Sendable (AuthState) -> Void) -> AuthObservation
}

extension AuthStatePublishing {
  public var isAuthenticated: Bool { state.user != nil }
  public var currentUser: User? { state.user }

  /// The present state, then each change.
  public var states: AsyncStream<AuthState> {
    AsyncStream { continuation in
      let observation = observe { continuation.yield($0) }
      continuation.onTermination = { _ in observation.cancel() }
    }
  }
}

/// A service that holds tokens in memory, for who refreshes them ahead of time or locks the screen. All three here do.
public protocol TokenHolding: AuthStatePublishing {
  /// From when on the next call refreshes what is held, seconds since 1970 in UTC; `nil` where nothing is held or it does not
  /// expire.
  var nextRefresh: Double? { get }

  /// Forgets what is in memory: the next token costs a finger. A refresh that is under way is stored, and not held.
  func lock() async

  /// Tells the server of sign-outs that it could not be told of when they were made (`AuthError.notRevoked`).
  ///
  /// - Returns: how many it could not be told of this time, either.
  func revokePending() async -> Int
}

/// A service whose tokens go with requests of the application.
public protocol RequestSending: AuthenticationService {
  /// Sends a request with the token, refreshed before where it is about to expire, and once more with a new one where the
  /// server does not take it.
  ///
  /// - Throws: `AuthError`; the answer's status is the caller's matter.
  func send(_ request: NetworkRequest) async throws -> NetworkResponse
}
