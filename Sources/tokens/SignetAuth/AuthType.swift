/// How an application signs in.
public enum AuthType: String, Sendable, CaseIterable, Codable {
  /// An opaque token and a table at the server: revocable at once.
  case session
  /// A signed token that lives for minutes, and one to get the next by.
  case jwt
  /// Tokens of an identity provider.
  case oauth2
}
