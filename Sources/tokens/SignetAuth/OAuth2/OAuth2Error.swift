import SignetLanguage

/// What an identity provider answered with, or why its answer is not taken.
public enum OAuth2Error: Error, Equatable, Sendable {
  /// An error code of RFC 6749, RFC 8628, RFC 7591 or OpenID Connect, as it stands there.
  case code(OAuth2Code)
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
    case .code(let code): say("the provider answered \(code.text).")
    case .issuerMismatch: say("the answer comes from another issuer, and is not taken.")
    case .stateMismatch: say("the answer is not to this request, and is not taken.")
    case .unsupported(let what): say("the provider does not offer \(what).")
    case .timedOut: say("nobody signed in in time: try again.")
    case .portTaken(let port): say("port \(port) of 127.0.0.1 is taken: end what listens there, or choose another one.")
    case .noBrowser: say("no browser could be opened: sign in with a device code.")
    }
  }
}

/// An error code of a provider, with its own words for who runs the client.
public struct OAuth2Code: Sendable {
  public let name: String
  /// `error_description` (RFC 6749, 5.2), as far as it can be shown; `nil` where there is none.
  public let explanation: String?

  /// - Parameters: what came, which is brought into what may be shown: no character moves a cursor, and nothing is long.
  public init(_ name: String, explanation: String? = nil) {
    let isPlain =
      !name.isEmpty && name.utf8.count <= 64
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
    self.name = isPlain ? name : "unknown_error"
    // The characters that RFC 6749 allows, and a sentence goes on behind them.
    let shown = (explanation ?? "").unicodeScalars.prefix(200).map { scalar in
      (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\" ? Character(scalar) : "?"
    }
    let text = String(shown.reversed().drop { " .".contains($0) }.reversed())
    self.explanation = text.isEmpty ? nil : text
  }

  var text: String { explanation.map { "\(name) (\($0))" } ?? name }
}

extension OAuth2Code: Equatable, ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self.init(name) }

  /// Programs go by the name: the words are for people.
  public static func == (one: OAuth2Code, other: OAuth2Code) -> Bool { one.name == other.name }
}
