/// What somebody signs in with. Each service takes some of these and refuses the others with `AuthError.unsupportedCredentials`.
public enum AuthCredentials: Sendable {
  /// A name and a password of the server's.
  case password(username: String, password: Password)
  /// What an earlier login left in the storage: a finger releases it.
  case stored
  /// The identity provider's page in the owner's browser (RFC 8252).
  case browser
  /// The identity provider's page on another device (RFC 8628).
  case device
  /// The login that signetd vouches for.
  case local
}
