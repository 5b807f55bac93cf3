/// What a login or a refresh came to.
public struct AuthResult: Equatable, Sendable {
  public let authType: AuthType
  public let user: User
  /// When what is held now expires, seconds since 1970 in UTC; `nil` where the server does not say.
  public let expiration: Double?
  /// Whether it outlives the program: false where the storage refused it, which loses the sign-in with the process and
  /// nothing else.
  public let isStored: Bool

  /// Of a service that does not say when it ends, nor that it is stored.
  public init(user: User, authType: AuthType) {
    self.init(authType: authType, user: user, expiration: nil, isStored: false)
  }

  public init(authType: AuthType, user: User, expiration: Double?, isStored: Bool) {
    self.authType = authType
    self.user = user
    self.expiration = expiration
    self.isStored = isStored
  }
}
