import SignetJWT
import SignetLanguage

/// Why something of this module failed. `description` says what happened, where, and what to do next.
public enum AuthError: Error, Equatable, Sendable {
  /// No server is configured for this service.
  case notConfigured(AuthType)
  /// This service does not take these credentials.
  case unsupportedCredentials(AuthType)
  /// The token is not meant for this server, so nothing was sent there.
  case notThisServer(host: String)
  /// The server did not take the credentials.
  case refused(host: String)
  /// Only a login helps.
  case loginRequired(LoginReason)
  /// Signed out here; the server could not be told, and may take the old token until it expires.
  case notRevoked(host: String)
  /// The server answered with an error of its own.
  case server(host: String, status: Int)
  /// The server's answer is not what its protocol says.
  case invalidResponse(host: String, what: String)
  case network(NetworkError)
  case storage(TokenStorageError)
  /// A token of the server is refused.
  case token(host: String, JWTError)
  /// An identity provider's error (RFC 6749, 4.1.2.1 and 5.2).
  case oauth2(host: String, OAuth2Error)
  /// An error of an issuer or a network client that was written elsewhere: its type.
  case failed(String)
  /// The caller gave up, or signed in or out meanwhile.
  case cancelled
}

extension AuthError {
  /// The server takes the token no more, and only a login helps.
  public static var tokenExpired: AuthError { .loginRequired(.refusedByServer) }

  /// For `catch AuthError.tokenExpired`.
  public static func ~= (pattern: AuthError, error: any Error) -> Bool { error as? AuthError == pattern }

  /// Whether the server would say the same another time: it refused, and is not just out of order.
  var isForGood: Bool {
    switch self {
    case .oauth2(_, .code("temporarily_unavailable")), .oauth2(_, .code("server_error")): false
    case .oauth2(_, .code), .oauth2(_, .unsupported), .refused: true
    // 408 and 429 are about this time only (RFC 9110, 15.5.9; RFC 6585, 4).
    case .server(_, let status): (400..<500).contains(status) && status != 408 && status != 429
    default: false
    }
  }
}

extension AuthError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notConfigured(let type): say("No server is configured for \(type.rawValue).")
    case .unsupportedCredentials(let type): say("The \(type.rawValue) service does not sign in with these credentials.")
    case .notThisServer(let host): say("The token is not for \(host), so nothing was sent there: name it among the resources.")
    case .refused(let host): say("\(host) refused the credentials.")
    case .loginRequired(let reason): reason.text
    case .notRevoked(let host): say("Signed out here, but \(host) could not be told: it may take the old token until it expires.")
    case .server(let host, let status): say("\(host) answered with status \(status): try again later.")
    case .invalidResponse(let host, let what): say("\(host) gave an answer that is not valid: \(what).")
    case .network(let error): error.description
    case .storage(let error): error.description
    case .token(let host, let error): say("A token of \(host) is refused: \(error).")
    case .oauth2(let host, let error): say("\(host): \(error.description)")
    case .failed(let type): say("It failed with an error that is not known here: \(type).")
    case .cancelled: say("Cancelled.")
    }
  }
}
