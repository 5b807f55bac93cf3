import SignetJWT

/// A server that gives access and refresh tokens for a name and a password: where, and what its fields are called. The
/// defaults are those of most.
public struct JWTServer: Sendable {
  /// The names of the fields in requests and answers.
  public struct Names: Sendable {
    public var username = "username"
    public var password = "password"
    public var access = "access"
    public var refresh = "refresh"
    /// Seconds that an access token lives, where the answer says so.
    public var lifetime = "expires_in"

    public init() {}
  }

  /// How received access tokens are verified, where the application has the server's keys.
  public struct Verification: Sendable {
    public var keys: JSONWebKeySet
    public var profile: AccessTokenProfile

    public init(keys: JSONWebKeySet, profile: AccessTokenProfile) {
      self.keys = keys
      self.profile = profile
    }
  }

  /// Where a name and a password are sent.
  public var obtain: Endpoint
  public var refresh: Endpoint
  /// Where a refresh token is ended; `nil` where the server knows no such thing.
  public var revoke: Endpoint?
  public var names: Names
  public var verification: Verification?
  /// Which servers the access token may be sent to.
  public var resources: Set<Endpoint.Origin>

  /// - Parameter resources: which servers the access token may be sent to, besides this one.
  public init(
    obtain: Endpoint, refresh: Endpoint, revoke: Endpoint? = nil, names: Names = Names(), verification: Verification? = nil,
    resources: Set<Endpoint.Origin> = []
  ) {
    self.obtain = obtain
    self.refresh = refresh
    self.revoke = revoke
    self.names = names
    self.verification = verification
    self.resources = resources.union([obtain.origin])
  }
}
