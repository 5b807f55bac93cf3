import SignetContexts
import SignetMemory
import SignetSessionTokens
import SignetVocabulary

extension LocalIssuer {
  /// The login session of the calling process, for services on this machine, which ask signetd whose it is (`signet token
  /// introspect`). Credentials: `.local`.
  ///
  /// The session is the user's: who signs out here forgets it, and no more. It ends with the logout.
  ///
  /// - Parameter socket: signetd's; `nil` for the standard one.
  public static func signetdSession(socket: String? = nil) -> LocalIssuer {
    LocalIssuer(issuer: LocalSession(login: TokenSession(socket)), name: TokenSession.name)
  }

  /// Access tokens that signetd signs for the login session of the calling process (RFC 9068), and renews. Credentials: `.local`.
  ///
  /// - Parameters:
  ///   - audience: who is to accept them; 1 to 512 bytes.
  ///   - resources: which servers they may be sent to.
  ///   - socket: signetd's; `nil` for the standard one.
  public static func signetdTokens(
    audience: String, resources: Set<Endpoint.Origin> = [], socket: String? = nil
  ) -> LocalIssuer {
    LocalIssuer(
      issuer: LocalTokens(login: TokenSession(socket), audience: audience), name: TokenSession.name, resources: resources)
  }
}

/// The session of this process, as signetd knows it.
private struct TokenSession: Sendable {
  static let name = "signetd"
  let client: SessionTokenClient
  private let socket: String

  init(_ socket: String?) {
    self.socket = socket ?? ProgramEnvironment.socket
    client = SessionTokenClient(path: self.socket)
  }

  /// The session's token.
  func token() throws(AuthError) -> SecretBytes {
    guard var digits = SecretBytes(capacity: FieldLimit.token * 2 + 1) else { throw .failed("SecretBytes") }
    do throws(SessionToken.Failure) { try SessionToken.read(into: &digits, from: socket) } catch {
      throw .loginRequired(.noCredential)
    }
    let text = String(decoding: (0..<digits.count).map { digits.span[$0] }, as: UTF8.self)
    guard let token = SecretBytes(hexadecimal: text, count: FieldLimit.token) else { throw .loginRequired(.noCredential) }
    return token
  }

  /// Who is logged in by this token, and for how many seconds.
  func owner(of token: borrowing SecretBytes) throws(AuthError) -> (user: User, lifetime: Double) {
    let row: (UInt32, String, UInt64)
    do throws(SessionTokenError) {
      let found = try client.introspect(token)
      row = (found.uid, found.user, found.expires)
    } catch { throw TokenSession.error(error) }
    return (User(id: String(row.0), name: row.1), max(0, Double(row.2) - SystemTime().now))
  }

  static func error(_ error: SessionTokenError) -> AuthError {
    switch error {
    case .refused: .loginRequired(.refusedByServer)
    case .client: .network(.unreachable(host: name, reason: "it does not answer: see `signet doctor`"))
    case .unusable: .failed("SessionTokenError")
    }
  }
}

private struct LocalSession: TokenIssuer {
  let login: TokenSession

  func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    guard case .local = credentials else { throw AuthError.unsupportedCredentials(.session) }
    let token = try login.token()
    let (user, lifetime) = try login.owner(of: token)
    return TokenGrant(accessToken: token.hexadecimalDigits, lifetime: lifetime, user: user)
  }

  func refresh(_ refreshToken: String) async throws -> TokenGrant { try await issue(for: .local) }
  func revoke(_ refreshToken: String) async throws {}
}

private struct LocalTokens: TokenIssuer {
  let login: TokenSession
  let audience: String

  func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    guard case .local = credentials else { throw AuthError.unsupportedCredentials(.jwt) }
    let token = try login.token()
    let user = try login.owner(of: token).user
    do throws(SessionTokenError) {
      return LocalTokens.grant(try login.client.issue(for: token, audience: audience, isRefreshable: true), user)
    } catch { throw TokenSession.error(error) }
  }

  func refresh(_ refreshToken: String) async throws -> TokenGrant {
    guard let token = SecretBytes(hexadecimal: refreshToken, count: FieldLimit.refreshToken) else {
      throw AuthError.loginRequired(.refusedByServer)
    }
    do throws(SessionTokenError) { return LocalTokens.grant(try login.client.refresh(token), nil) } catch {
      throw TokenSession.error(error)
    }
  }

  func revoke(_ refreshToken: String) async throws {
    guard let token = SecretBytes(hexadecimal: refreshToken, count: FieldLimit.refreshToken) else { return }
    do throws(SessionTokenError) { try login.client.endRefresh(token) } catch { throw TokenSession.error(error) }
  }

  private static func grant(_ tokens: borrowing IssuedTokens, _ user: User?) -> TokenGrant {
    TokenGrant(
      accessToken: String(decoding: (0..<tokens.accessToken.count).map { tokens.accessToken.span[$0] }, as: UTF8.self),
      refreshToken: tokens.refreshToken.count == 0 ? nil : tokens.refreshToken.hexadecimalDigits,
      lifetime: Double(tokens.lifetime), user: user)
  }
}
