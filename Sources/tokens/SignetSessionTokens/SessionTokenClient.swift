// SignetSessionTokens asks signetd for what a session gets for its token: signed access tokens and their renewal, keys to seal
// with, and whose session a token is. It is a client only: each request is a connection of its own, nothing is kept.
import SignetBytes
import SignetClient
import SignetMemory
import SignetVocabulary
import SignetWire

/// Why nothing came of a request.
public enum SessionTokenError: Error, Equatable, Sendable {
  /// signetd gave no answer.
  case client(ClientError)
  case refused(Refusal)
  /// There is no memory, or what was asked for fits no packet.
  case unusable
}

/// An access token that signetd signed (RFC 9068), and what renews it.
public struct IssuedTokens: ~Copyable, Sendable {
  /// The JWT. A secret for as long as it is valid: whoever has it may use it.
  public let accessToken: SecretBytes
  /// In how many seconds it expires, from when it was issued.
  public let lifetime: UInt32
  /// Empty where none was asked for.
  public let refreshToken: SecretBytes
}

/// Asks signetd. Safe from any thread.
public struct SessionTokenClient: Sendable {
  /// How long signetd may say nothing, in milliseconds.
  private static let silence: Int32 = 5_000
  private let path: String

  /// - Parameter path: signetd's socket.
  public init(path: String) { self.path = path }

  /// An access token for one audience, for the session of this token.
  ///
  /// - Parameters:
  ///   - token: the session's, 32 bytes.
  ///   - audience: who is to accept the access token; 1 to 512 bytes.
  ///   - isRefreshable: whether a refresh token is wanted, too.
  ///   - confirmation: the thumbprint of the key that whoever uses it has to prove (RFC 9449); empty, or 32 bytes.
  public func issue(
    for token: borrowing SecretBytes, audience: String, isRefreshable: Bool = false, confirmation: [UInt8] = []
  ) throws(SessionTokenError) -> IssuedTokens {
    try ask(
      { packet throws(FormatError) in
        try IssueTokenRequest(
          token: token.span, isRefreshable: isRefreshable, confirmation: confirmation.span, audience: Array(audience.utf8).span
        ).write(into: &packet)
      }, IssuedTokens.init)
  }

  /// Exchanges a refresh token, which is used up then: the answer has the next one.
  public func refresh(
    _ token: borrowing SecretBytes, confirmation: [UInt8] = []
  ) throws(SessionTokenError) -> IssuedTokens {
    try ask(
      { packet throws(FormatError) in
        try RefreshTokenRequest(token: token.span, confirmation: confirmation.span).write(into: &packet)
      }, IssuedTokens.init)
  }

  /// Ends the chain of a refresh token.
  public func endRefresh(_ token: borrowing SecretBytes) throws(SessionTokenError) {
    try order { packet throws(FormatError) in try EndRefreshRequest(token: token.span).write(into: &packet) }
  }

  /// Whose session a token is.
  public func introspect(_ token: borrowing SecretBytes) throws(SessionTokenError) -> SessionRow {
    try ask({ packet throws(FormatError) in
      try SessionTokenRequest(.introspect, token: token.span).write(into: &packet)
    }) { SessionRow(packet: $0.span) }
  }

  /// Ends all sessions of the token's user but the token's own.
  public func revokeOthers(than token: borrowing SecretBytes) throws(SessionTokenError) {
    try order { packet throws(FormatError) in
      try SessionTokenRequest(.revokeOthers, token: token.span).write(into: &packet)
    }
  }

  /// A key for what a program of the session seals: a new one, or the one that was wrapped before.
  public func sealingKey(
    for token: borrowing SecretBytes, wrapped: [UInt8] = []
  ) throws(SessionTokenError) -> SessionSealingKey {
    try ask(
      { packet throws(FormatError) in
        try SealingKeyRequest(token: token.span, wrapped: wrapped.span).write(into: &packet)
      }, SessionSealingKey.init)
  }

  /// Who issues, and the public keys of all access tokens that are valid now or soon: a JSON object with `issuer` and `jwks`.
  public func keySet() throws(SessionTokenError) -> String {
    var request = try begin { packet throws(FormatError) in try packet.begin(RequestKind.keySet.rawValue) }
    var bytes: [UInt8] = []
    while true {
      switch try next(&request) {
      case .reply(.done):
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .client(.malformed) }
        return text
      case .reply(.value):
        guard let part = try? ValueReply(parsing: request.packet.span), Int(part.total) >= bytes.count + part.part.count else {
          throw .client(.malformed)
        }
        bytes += Array(copying: part.part)
      default: throw .client(.malformed)
      }
    }
  }

  /// How the caller's vault stands now. Where a user's places for watches are taken it waits for one.
  public func vaultStanding() throws(SessionTokenError) -> VaultStanding {
    var request = try begin { packet throws(FormatError) in try WatchVaultRequest().write(into: &packet) }
    guard case .reply(.row) = try next(&request), let standing = VaultStanding(request.packet) else { throw .client(.malformed) }
    return standing
  }

  /// The open sessions: the caller's own, or, for root, everybody's.
  public func openSessions() throws(SessionTokenError) -> [SessionRow] {
    var request = try begin { packet throws(FormatError) in try packet.begin(RequestKind.sessions.rawValue) }
    var rows: [SessionRow] = []
    while true {
      switch try next(&request) {
      case .reply(.done): return rows
      case .reply(.row):
        guard case .session(let row)? = try? AdministrationReply(parsing: request.packet.span) else { throw .client(.malformed) }
        rows.append(row)
      default: throw .client(.malformed)
      }
    }
  }

  // MARK: - one request

  private func begin(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(SessionTokenError) -> PendingRequest {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .unusable }
    do throws(FormatError) { try write(&packet) } catch { throw .unusable }
    // Handed over inside the closure, which could not consume it.
    var handed: SecretBytes? = consume packet
    do throws(ClientError) {
      let socket = unsafe path.withCString { unsafe SocketPath($0) }
      return try unsafe socket.withCString { (path) throws(ClientError) in
        guard let packet = handed.take() else { throw .malformed }
        return try unsafe PendingRequest(packet, to: path, Exchange.Terms(silence: SessionTokenClient.silence))
      }
    } catch { throw .client(error) }
  }

  private func next(_ request: inout PendingRequest) throws(SessionTokenError) -> Exchange.Message {
    var host = UnattendedHost()
    let message: Exchange.Message
    do throws(ClientError) { message = try request.next(&host) } catch { throw .client(error) }
    guard message == .reply(.refused) else { return message }
    guard case .refused(let refusal)? = try? AdministrationReply(parsing: request.packet.span) else { throw .client(.malformed) }
    throw .refused(refusal)
  }

  private func order(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(SessionTokenError) {
    var request = try begin(write)
    guard try next(&request) == .reply(.done) else { throw .client(.malformed) }
  }

  /// A request that is answered by one packet, and `done`.
  private func ask<Answer: ~Copyable>(
    _ write: (inout SecretBytes) throws(FormatError) -> Void, _ answer: (borrowing SecretBytes) -> Answer?
  ) throws(SessionTokenError) -> Answer {
    var request = try begin(write)
    _ = try next(&request)
    guard let answer = answer(request.packet) else { throw .client(.malformed) }
    guard try next(&request) == .reply(.done) else { throw .client(.malformed) }
    return answer
  }
}

/// A key for what a program of a session seals.
public struct SessionSealingKey: ~Copyable, Sendable {
  public let secret: SecretBytes
  /// Goes with what is sealed: for it signetd gives the same key again, to this session, until a lock of its user.
  public let wrapped: [UInt8]
}

extension IssuedTokens {
  init?(_ packet: borrowing SecretBytes) {
    guard let reply = try? IssuedReply(parsing: packet.span), let access = SecretBytes(copying: reply.accessToken),
      let refresh = SecretBytes(copying: reply.refreshToken)
    else { return nil }
    self.init(accessToken: access, lifetime: reply.lifetime, refreshToken: refresh)
  }
}

extension SessionSealingKey {
  init?(_ packet: borrowing SecretBytes) {
    guard let reply = try? SealingKeyReply(parsing: packet.span), let key = SecretBytes(copying: reply.key) else { return nil }
    self.init(secret: key, wrapped: Array(copying: reply.wrapped))
  }
}

extension SecretBytes {
  /// `nil` where there is no memory.
  fileprivate init?(copying bytes: Span<UInt8>) {
    guard var copy = SecretBytes(capacity: max(1, bytes.count)), copy.append(bytes) else { return nil }
    self = copy
  }
}
