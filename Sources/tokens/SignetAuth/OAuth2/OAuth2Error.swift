import SignetLanguage

/// What an identity provider answered with, or why its answer is not taken.
public enum OAuth2Error: Error, Equatable, Sendable {
  /// An error code of RFC 6749, RFC 8628, RFC 7591 or OpenID Connect, as it stands there.
  case code(String)
  /// The issuer in the metadata or in the answer is another one than the one that was asked (RFC 8414, RFC 9207).
  case issuerMismatch
  /// The answer is to another request, or to none.
  case stateMismatch
  /// The provider does not offer what is asked for.
  case unsupported(String)
  /// The owner did not finish in time.
  case timedOut
  /// The browser could not be opened.
  case noBrowser
  /// The port of 127.0.0.1 that its answer is to come to cannot be had; 0 for any.
  case portTaken(Int)
}

extension OAuth2Error: CustomStringConvertible {
  public var description: String {
    switch self {
    case .code("access_denied"): say("access was denied.")
    case .code(let code): say("the provider answered \(code).")
    case .issuerMismatch: say("the answer comes from another issuer, and is not taken.")
    case .stateMismatch: say("the answer is not to this request, and is not taken.")
    case .unsupported(let what): say("the provider does not offer \(what).")
    case .timedOut: say("nobody signed in in time: try again.")
    case .portTaken(let port): say("port \(port) of 127.0.0.1 is taken: end what listens there, or choose another one.")
    case .noBrowser: say("no browser could be opened: sign in with a device code.")
    }
  }
}
