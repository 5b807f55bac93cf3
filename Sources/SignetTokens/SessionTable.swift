// SignetTokens makes the tokens that a login gives to its session, and has the table of those that are valid.
import CLinux
import SignetAuthentication
import SignetDigest
import SignetMemory
import SignetVocabulary

/// A session that holds a token. Only its keyring has the token itself; this has the token's digest.
public struct Session: Equatable, Sendable {
  public var identifier: SessionName
  /// SHA-256 of the token.
  public var digest: [UInt8]
  public var uid: UInt32
  public var user: String
  public var service: String
  public var terminal: String
  public var method: EvidenceMethod
  /// Seconds since 1970: when the session opened, and before that, when the token was released.
  public var since: UInt64
  /// The key in the session's keyring, 0 until it is open.
  public var key: Int32

  public init(
    identifier: SessionName, digest: [UInt8], uid: UInt32, user: String, service: String, terminal: String,
    method: EvidenceMethod, since: UInt64, key: Int32
  ) {
    self.identifier = identifier
    self.digest = digest
    self.uid = uid
    self.user = user
    self.service = service
    self.terminal = terminal
    self.method = method
    self.since = since
    self.key = key
  }

  public var isOpen: Bool { key != 0 }
}

/// The released tokens. It is a value without I/O: signetd guards it with a lock, and keeps open sessions in a file.
public struct SessionTable: Sendable {
  /// The most tokens of one user that wait for their session to open. The oldest is dropped for one more.
  public static let pendingLimit = 16
  /// The most open sessions of one user. Nobody has more logins at a time; more would be a user who fills the table, its
  /// folder and root's list.
  public static let openLimit = 64

  private var sessions: [Session]

  public init(open sessions: [Session] = []) { self.sessions = sessions }

  /// The open sessions of one user, or of all.
  public func open(of uid: UInt32? = nil) -> [Session] {
    sessions.filter { $0.isOpen && (uid == nil || $0.uid == uid) }
  }

  /// Makes a token valid. This consumes the evidence, so one authentication releases one token.
  public mutating func release(
    _ token: borrowing UnreleasedToken, for evidence: consuming AuthenticationEvidence, user: String, service: String,
    now: UInt64
  ) {
    expirePending(of: evidence.uid, now: now)
    sessions.append(
      Session(
        identifier: token.identifier, digest: token.digest, uid: evidence.uid, user: user, service: service, terminal: "",
        method: evidence.method, since: now, key: 0))
  }

  /// The session that a token which was released may still open. `peer` must be root or the token's user.
  public func waiting(for token: Span<UInt8>, peer: UInt32, now: UInt64) -> Session? {
    guard let index = index(of: token, peer: peer), !sessions[index].isOpen,
      now &- sessions[index].since <= UInt64(TokenLifetime.pending)
    else { return nil }
    return sessions[index]
  }

  /// Whether the user may open no more sessions.
  public func isFull(_ uid: UInt32) -> Bool { open(of: uid).count >= SessionTable.openLimit }

  /// Opens the session of a token that was released and not opened yet. `peer` must be root or the token's user.
  public mutating func open(
    token: Span<UInt8>, key: Int32, terminal: String, peer: UInt32, now: UInt64
  ) -> Session? {
    guard key > 0, let waiting = waiting(for: token, peer: peer, now: now), !isFull(waiting.uid),
      let index = sessions.firstIndex(of: waiting)
    else { return nil }
    sessions[index].key = key
    sessions[index].terminal = terminal
    sessions[index].since = now
    return sessions[index]
  }

  /// Removes the session of a token.
  public mutating func close(token: Span<UInt8>, peer: UInt32) -> Session? {
    index(of: token, peer: peer).map { sessions.remove(at: $0) }
  }

  /// Removes an open session by its identifier.
  public mutating func revoke(identifier: SessionName, peer: UInt32) -> Session? {
    let index = sessions.firstIndex {
      $0.isOpen && $0.identifier == identifier && (peer == 0 || peer == $0.uid)
    }
    return index.map { sessions.remove(at: $0) }
  }

  /// Removes what has outlived `TokenLifetime`, and returns the open sessions among it.
  public mutating func expire(now: UInt64) -> [Session] {
    let isOver = { (session: Session) in
      now &- session.since > UInt64(session.isOpen ? TokenLifetime.session : TokenLifetime.pending)
    }
    let over = sessions.filter(isOver)
    sessions.removeAll(where: isOver)
    return over.filter(\.isOpen)
  }

  private func index(of token: Span<UInt8>, peer: UInt32) -> Int? {
    // The time that comparing takes tells something about the digest, and nothing useful about the token.
    let wanted = SHA256.hash(token)
    return sessions.firstIndex { $0.digest == wanted && (peer == 0 || peer == $0.uid) }
  }

  private mutating func expirePending(of uid: UInt32, now: UInt64) {
    let pending = sessions.indices.filter { sessions[$0].uid == uid && !sessions[$0].isOpen }
    if pending.count >= SessionTable.pendingLimit { sessions.remove(at: pending[0]) }
  }
}

/// A token that is not valid yet. `SessionTable.release` makes it valid, in exchange for evidence.
///
/// It is made before there is any evidence, so that after the verdict nothing has to be computed before the reply.
public struct UnreleasedToken: ~Copyable, Sendable {
  /// 256 random bits.
  public let secret: SecretBytes
  /// The identifier of the session that it will belong to.
  public let identifier: SessionName
  let digest: [UInt8]

  /// `nil` where the kernel gives no random bytes or no memory.
  public init?() {
    guard let identifier = randomIdentifier(), let secret = randomToken() else { return nil }
    self.identifier = identifier
    digest = sha256(of: secret)
    self.secret = secret
  }
}

private func sha256(of token: borrowing SecretBytes) -> [UInt8] { SHA256.hash(token.span) }

private func randomToken() -> SecretBytes? {
  guard var token = SecretBytes(capacity: FieldLimit.token) else { return nil }
  // getrandom(2) of 256 bytes or fewer is never cut short.
  let count = unsafe token.replace { unsafe getrandom($0.baseAddress!, FieldLimit.token, 0) }
  guard count == FieldLimit.token else { return nil }
  return consume token
}

private func randomIdentifier() -> SessionName? {
  var number: UInt32 = 0
  guard unsafe getrandom(&number, 4, 0) == 4 else { return nil }
  return SessionName(number)
}
