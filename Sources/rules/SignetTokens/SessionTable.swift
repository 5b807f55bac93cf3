// SignetTokens makes the tokens that a login gives to its session, and has the table of those that are valid.
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
  /// When somebody last used the token, as `since`.
  public var used: UInt64
  /// From this and the token come the keys under which the session's programs seal; empty where none has, or a lock destroyed it.
  public var sealing: [UInt8]

  public init(
    identifier: SessionName, digest: [UInt8], uid: UInt32, user: String, service: String, terminal: String,
    method: EvidenceMethod, since: UInt64, key: Int32, used: UInt64? = nil, sealing: [UInt8] = []
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
    self.used = used ?? since
    self.sealing = sealing
  }

  public var isOpen: Bool { key != 0 }

  /// Whether it was opened at a seat: on a virtual console, or by a greeter on a display of its own.
  public var isAtSeat: Bool {
    let name = terminal.hasPrefix("/dev/") ? terminal.dropFirst(5) : terminal[...]
    let number = name.hasPrefix("tty") ? name.dropFirst(3) : name.hasPrefix(":") ? name.dropFirst() : ""
    return !number.isEmpty && number.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}

/// How long a session lives, in seconds.
public struct SessionLimits: Equatable, Sendable {
  /// From its opening; `TokenLifetime.session` at most.
  public var absolute: UInt64
  /// Without anybody using its token; `nil` where that ends nothing.
  public var idle: UInt64?

  public init(absolute: UInt64 = UInt64(TokenLifetime.session), idle: UInt64? = nil) {
    self.absolute = min(absolute, UInt64(TokenLifetime.session))
    self.idle = idle
  }

  func end(_ session: Session, at now: UInt64) -> Bool {
    guard session.isOpen else { return now &- session.since > UInt64(TokenLifetime.pending) }
    return now &- session.since > absolute || idle.map { now > session.used && now - session.used > $0 } ?? false
  }

  /// How much older the use of a session may be in its file: little beside what ends it, so that it is hardly ended early after a
  /// restart of signetd, and no disk is waited for at each use.
  var useStep: UInt64 { idle.map { min(30, $0 / 20) } ?? 0 }

  /// When it ends at the latest if nobody uses its token until then, in seconds since 1970.
  public func expiry(of session: Session) -> UInt64 {
    min(session.since + absolute, idle.map { session.used + $0 } ?? .max)
  }
}

/// The released tokens. It is a value without I/O: signetd guards it with a lock, and keeps open sessions in a file.
public struct SessionTable: Sendable {
  /// The most tokens of one user that wait for their session to open. The oldest is dropped for one more.
  public static let pendingLimit = 16
  /// The most open sessions of one user. Nobody has more logins at a time; more would be a user who fills the table, its
  /// folder and root's list.
  public static let openLimit = 64

  private var sessions: [Session]
  private let limits: SessionLimits
  /// Up to when the use of a session is in its file.
  private var keptUses: [SessionName: UInt64] = [:]

  public init(open sessions: [Session] = [], limits: SessionLimits = SessionLimits()) {
    self.sessions = sessions
    self.limits = limits
  }

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
    sessions[index].used = now
    return sessions[index]
  }

  /// The open session of a token, which is used now; whoever has the token may ask.
  public mutating func use(_ token: Span<UInt8>, now: UInt64) -> Session? {
    guard let index = index(of: token, peer: 0), sessions[index].isOpen, !limits.end(sessions[index], at: now) else { return nil }
    sessions[index].used = max(sessions[index].used, now)
    return sessions[index]
  }

  /// Whether the use of a session is to go to its file now; then it is taken as kept.
  public mutating func mustKeepUse(of session: Session) -> Bool {
    guard limits.idle != nil else { return false }
    guard let kept = keptUses[session.identifier] else {
      keptUses = keptUses.filter { kept in sessions.contains { $0.identifier == kept.key } }
      keptUses[session.identifier] = session.used
      return true
    }
    guard session.used >= kept + limits.useStep else { return false }
    keptUses[session.identifier] = session.used
    return true
  }

  /// The open session of this identifier, without using its token.
  public func session(_ identifier: SessionName, at now: UInt64) -> Session? {
    sessions.first { $0.isOpen && $0.identifier == identifier && !limits.end($0, at: now) }
  }

  /// Gives an open session what its programs' seals come from, or takes it away.
  public mutating func setSealing(_ sealing: [UInt8], of identifier: SessionName) -> Session? {
    guard let index = sessions.firstIndex(where: { $0.isOpen && $0.identifier == identifier }) else { return nil }
    sessions[index].sealing = sealing
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

  /// Removes what has outlived its limits, and returns the open sessions among it.
  public mutating func expire(now: UInt64) -> [Session] {
    let over = sessions.filter { limits.end($0, at: now) }
    sessions.removeAll { limits.end($0, at: now) }
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
    guard let identifier = randomIdentifier(), let secret = RandomBytes.secret(FieldLimit.token) else { return nil }
    self.identifier = identifier
    digest = sha256(of: secret)
    self.secret = secret
  }
}

private func sha256(of token: borrowing SecretBytes) -> [UInt8] { SHA256.hash(token.span) }

private func randomIdentifier() -> SessionName? {
  RandomBytes.number().map { SessionName(UInt32(truncatingIfNeeded: $0)) }
}
