/// A server that signs in by a form and a cookie, with a token against forged requests: where, and what its fields are
/// called. The defaults are Django's.
public struct SessionServer: Sendable {
  /// The names of fields, cookies and headers.
  public struct Names: Sendable {
    public var username = "username"
    public var password = "password"
    /// The cookie that is the session.
    public var sessionCookie = "sessionid"
    /// The cookie with the token against forged requests.
    public var csrfCookie = "csrftoken"
    /// The header that says it again.
    public var csrfHeader = "X-CSRFToken"
    /// Of the answer that says who is signed in: what does not change, and a name.
    public var userID = "id"
    public var userName = "username"

    public init() {}
  }

  /// The page with the form, which sets the token against forged requests, and where the form is sent.
  public var login: Endpoint
  public var logout: Endpoint
  /// What answers 200 with JSON about the owner, and 401 or 403 to anybody else; `nil` where there is no such thing: then the
  /// session is believed to live as long as its cookie.
  public var user: Endpoint?
  public var names: Names

  /// - Throws: `NetworkError.invalidURL` where the endpoints are not of one origin: the cookies of one are not another's.
  public init(login: Endpoint, logout: Endpoint, user: Endpoint? = nil, names: Names = Names()) throws(NetworkError) {
    for other in [logout, user].compactMap({ $0 }) where other.origin != login.origin { throw .invalidURL(other.description) }
    self.login = login
    self.logout = logout
    self.user = user
    self.names = names
  }
}
