import SignetLanguage

/// Why a request got no answer, or one that is not taken.
public enum NetworkError: Error, Equatable, Sendable {
  case invalidURL(String)
  /// `http`, and not to this machine.
  case notSecure(String)
  /// A method, header or body that cannot be sent.
  case invalidRequest(host: String)
  /// No connection, or it broke.
  case unreachable(host: String, reason: String)
  case timedOut(host: String)
  /// The server's certificate, its name or its protocol is not taken.
  case notTrusted(host: String, reason: String)
  /// The certificate is valid and its key is none of the pinned ones.
  case notPinned(host: String)
  case tooLarge(host: String, limit: Int)
  /// A redirect to another origin, or one too many.
  case redirected(host: String, to: String)
  case unexpectedStatus(host: String, Int)
  /// Not the JSON that was asked for.
  case invalidBody(host: String)
  /// The extra certificates, or a pin, cannot be read.
  case invalidTrust(String)
  case cancelled

  /// Whether the same may succeed later.
  public var isTransient: Bool {
    switch self {
    case .unreachable, .timedOut: true
    default: false
    }
  }
}

extension NetworkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidURL(let text): say("This is no URL that can be used: \(shown(text))")
    case .notSecure(let text): say("Tokens go over https only, and this is not: \(shown(text))")
    case .invalidRequest(let host): say("The request to \(host) is not valid.")
    case .unreachable(let host, let reason): say("\(host) cannot be reached (\(reason)): check the network, or try again later.")
    case .timedOut(let host): say("\(host) did not answer in time: try again later.")
    case .notTrusted(let host, let reason): say("The certificate of \(host) is not trusted (\(reason)): nothing was sent.")
    case .notPinned(let host):
      say("The key of \(host) is none of those that it is known by: nothing was sent. Ask who runs the server.")
    case .tooLarge(let host, let limit): say("The answer of \(host) is larger than \(limit) bytes: it was dropped.")
    case .redirected(let host, let to): say("\(host) leads elsewhere, which is not followed: \(shown(to))")
    case .unexpectedStatus(let host, let status): say("\(host) answered with status \(status).")
    case .invalidBody(let host): say("The answer of \(host) is not the JSON that was asked for.")
    case .invalidTrust(let what): say("A certificate or a pin cannot be read: \(shown(what))")
    case .cancelled: say("Cancelled.")
    }
  }
}

/// Somebody else's text for a terminal: the beginning of it, and nothing that moves a cursor.
private func shown(_ text: String) -> String {
  String(text.unicodeScalars.prefix(200).map { $0.value > 0x1F && $0.value < 0x7F ? Character($0) : "?" })
}
