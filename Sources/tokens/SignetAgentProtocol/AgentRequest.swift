// SignetAgentProtocol is what signet-agent is asked, and how: one connection for each request, on which JSON objects follow one
// another, each behind its length. The agent is the user's own process; it has the user's tokens of identity providers.
// Each `AgentReply.account` has an `AgentAnswer`; nothing else is said after the request.

/// What the agent is asked. All of it comes from the user's own programs.
public struct AgentRequest: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable {
    /// Sign in once, and keep what signs in from then on.
    case bind
    /// Have what signs in released by the finger.
    case login
    /// Sign out at the provider, and erase what is kept.
    case unbind
    /// `AgentReply.binding` for each, then `done`.
    case bindings
    /// A token: `AgentReply.token`.
    case token
    /// Keys for a role in a cloud: `AgentReply.roleKeys`.
    case roleKeys
  }

  /// Which token.
  public enum TokenKind: String, Codable, Sendable {
    case access
    /// Which says who asks (OpenID Connect Core 1.0, 2).
    case id
  }

  /// How `bind` signs in.
  public enum SignIn: String, Codable, Sendable, CaseIterable {
    /// In the desktop's browser (RFC 8252).
    case browser
    /// On another device, by a code (RFC 8628).
    case device
  }

  public var kind: Kind
  /// The token of the session that asks, in hexadecimal digits: the agent serves sessions that are open, and nobody else.
  public var session: String
  /// The provider's name: a URL. Empty for `bindings`.
  public var issuer: String
  /// Which of several accounts at a provider: a name of the user's own. Empty: the only one.
  public var account: String
  public var signIn: SignIn
  /// As whom the machine is known to the provider; `nil` to register there (RFC 7591).
  public var clientID: String?
  /// The port of 127.0.0.1 that the browser's answer comes to; `nil` for any.
  public var redirectPort: Int?
  public var scopes: [String]
  public var tokenKind: TokenKind
  /// For `roleKeys`.
  public var role: CloudRole?

  public init(
    _ kind: Kind, session: String, issuer: String = "", account: String = "", signIn: SignIn = .browser,
    clientID: String? = nil, redirectPort: Int? = nil, scopes: [String] = [], tokenKind: TokenKind = .access,
    role: CloudRole? = nil
  ) {
    self.kind = kind
    self.session = session
    self.issuer = issuer
    self.account = account
    self.signIn = signIn
    self.clientID = clientID
    self.redirectPort = redirectPort
    self.scopes = scopes
    self.tokenKind = tokenKind
    self.role = role
  }
}

/// What the agent answers. `done`, `token`, `roleKeys` and `failed` end the connection.
public enum AgentReply: Codable, Equatable, Sendable {
  /// To be shown: a sentence for the user.
  case say(String)
  /// The page to open in a browser.
  case open(page: String)
  /// The code to type on another device, where, and the same as a URL for a QR code.
  case code(String, page: String, pageWithCode: String?)
  /// As whom the user signed in, as the provider calls them, and whether that is the account that they mean: nothing of it is kept
  /// before an `AgentAnswer`. `nil` where the provider names nobody.
  case account(user: String?)
  case binding(AgentBinding)
  case token(AgentToken)
  case roleKeys(RoleKeys)
  case done
  case failed(AgentFailure)
}

/// What the asker answers to `AgentReply.account`.
public struct AgentAnswer: Codable, Equatable, Sendable {
  public var isYes: Bool

  public init(isYes: Bool) { self.isYes = isYes }
}

/// A token as a program uses it.
public struct AgentToken: Codable, Equatable, Sendable {
  public var text: String
  /// Seconds since 1970; `nil` where the provider does not say.
  public var expiration: Double?

  public init(_ text: String, expiration: Double?) {
    self.text = text
    self.expiration = expiration
  }
}

/// A device that is bound to an account.
public struct AgentBinding: Codable, Equatable, Sendable {
  public var issuer: String
  public var account: String
  /// Who signed in, as the provider calls them; empty where it names nobody.
  public var user: String
  public var scopes: [String]
  /// When it was bound, in seconds since 1970.
  public var bound: Double
  /// Whether tokens are to be had without a finger, until the next lock.
  public var isSignedIn: Bool

  public init(issuer: String, account: String, user: String, scopes: [String], bound: Double, isSignedIn: Bool) {
    self.issuer = issuer
    self.account = account
    self.user = user
    self.scopes = scopes
    self.bound = bound
    self.isSignedIn = isSignedIn
  }
}

/// Why the agent does not do what it was asked, and what to do next.
public struct AgentFailure: Error, Codable, Equatable, Sendable {
  public enum Reason: String, Codable, Sendable {
    /// The asker is in no open session.
    case noSession
    case notBound
    /// There are several accounts at this provider: one has to be named.
    case severalAccounts
    case alreadyBound
    /// The finger, or the passcode first.
    case loginRequired
    /// The fingers changed: only binding anew helps.
    case bindAnew
    /// The provider cannot be reached.
    case offline
    /// Anything else.
    case refused
  }

  public var reason: Reason
  public var message: String

  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}
