import SignetJWT

/// How a client says at the token endpoint who it is.
public enum ClientAuthentication: Sendable {
  /// A public client (RFC 6749, 2.1): a program on somebody's machine keeps no secret from them.
  case none
  /// A secret in the `Authorization` header (RFC 6749, 2.3.1).
  case secretBasic(Password)
  /// A secret in the form, for servers that know nothing else.
  case secretPost(Password)
  /// `private_key_jwt` (RFC 7523): the key stays here.
  case privateKey(any TokenSigner)

  /// Its name in metadata and registrations.
  public var method: String {
    switch self {
    case .none: "none"
    case .secretBasic: "client_secret_basic"
    case .secretPost: "client_secret_post"
    case .privateKey: "private_key_jwt"
    }
  }
}

/// For whom a client's assertion is (RFC 7523, 3).
public enum AssertionAudience: Sendable {
  /// The issuer and no single endpoint: so no endpoint can use it elsewhere.
  case issuer
  /// The endpoint that is asked, for providers that want it so.
  case endpoint
}

/// Endpoints as an administrator knows them. What the provider's metadata says goes before.
public struct UnlistedEndpoints: Sendable {
  public var deviceAuthorization: Endpoint?
  public var revocation: Endpoint?
  public var registration: Endpoint?

  public init(deviceAuthorization: Endpoint? = nil, revocation: Endpoint? = nil, registration: Endpoint? = nil) {
    self.deviceAuthorization = deviceAuthorization
    self.revocation = revocation
    self.registration = registration
  }
}

/// An application as an identity provider knows it.
public struct OAuth2Client: Sendable {
  /// The provider's name: a URL, compared byte by byte.
  public var issuer: String
  public var clientID: String
  public var authentication: ClientAuthentication
  /// Of `ClientAuthentication.privateKey`.
  public var assertionAudience: AssertionAudience
  /// With `openid` among them the provider says by an ID token who signed in, and an answer without one is refused.
  public var scopes: [String]
  /// The key that tokens are bound to (RFC 9449); `nil` for tokens that anybody can use.
  public var proofKey: (any TokenSigner)?
  /// How many seconds ago the owner may have signed in at the provider.
  public var maximumAge: Int?
  /// Which servers the access token may be sent to.
  public var resources: Set<Endpoint.Origin>
  /// Endpoints that the provider has and its metadata does not name.
  public var unlisted: UnlistedEndpoints
  /// The port that the browser's answer comes to; 0 for any, which RFC 8252 has providers allow.
  public var redirectPort: Int

  public init(
    issuer: String, clientID: String, authentication: ClientAuthentication = .none,
    assertionAudience: AssertionAudience = .issuer, scopes: [String] = ["openid"], proofKey: (any TokenSigner)? = nil,
    maximumAge: Int? = nil, resources: Set<Endpoint.Origin> = [],
    unlisted: UnlistedEndpoints = UnlistedEndpoints(), redirectPort: Int = 0
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.authentication = authentication
    self.assertionAudience = assertionAudience
    self.scopes = scopes
    self.proofKey = proofKey
    self.maximumAge = maximumAge
    self.resources = resources
    self.unlisted = unlisted
    self.redirectPort = redirectPort
  }

  var isOpenID: Bool { OAuth2Client.isOpenID(scopes) }

  /// Whether a provider that is asked for these says who signed in.
  public static func isOpenID(_ scopes: [String]) -> Bool { scopes.contains("openid") }
}
