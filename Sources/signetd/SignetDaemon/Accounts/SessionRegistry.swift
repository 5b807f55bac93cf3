import DaemonService
import Glibc
import SignetAuthentication
import SignetBytes
import SignetFiles
import SignetMemory
import SignetTokens
import SignetVocabulary
import Synchronization

/// The session table, and its open sessions on file in the runtime directory, so that they outlive an idle exit or a crash
/// of signetd but not a reboot. The files hold digests, not tokens.
package final class SessionRegistry: Sendable {
  private let folder: StateDirectory
  private let table: Mutex<SessionTable>
  package let limits: SessionLimits

  package init(path: String, limits: SessionLimits = SessionLimits()) throws(SystemError) {
    self.limits = limits
    folder = try StateDirectory(path: path, create: true).directory("sessions", create: true)
    var open: [Session] = []
    for name in try folder.names() {
      do {
        guard let bytes = try folder.read(name, limit: 4096) else { continue }
        guard let identifier = SessionName(name) else { throw FormatError.badValue }
        open.append(try Session(decoding: bytes, identifier: identifier))
      } catch {
        Log.write(.error, "\(folder.path)/\(name) cannot be used; its session is revoked")
        try folder.remove(name)
      }
    }
    table = Mutex(SessionTable(open: open, limits: limits))
  }

  /// Makes a token valid for evidence; see `SessionTable.release`.
  package func release(
    _ token: borrowing UnreleasedToken, for evidence: consuming AuthenticationEvidence, user: String, service: String
  ) {
    var evidence: AuthenticationEvidence? = evidence
    table.withLock { table in
      guard let evidence = evidence.take() else { return }
      table.release(token, for: evidence, user: user, service: service, now: wallSeconds())
    }
  }

  /// Why a session was not opened, and whose it would have been.
  package enum NotOpened: Error {
    /// No session waits for this token.
    case noSession
    /// The number is of no key that the peer made for a token, or of one that belongs to another session.
    case foreignKey(Session)
    /// The user has as many open sessions as one may have.
    case tooMany(Session)
    case notRecorded(SystemError)
  }

  /// Opens the session of a token.
  package func open(token: Span<UInt8>, key: Int32, terminal: String, peer: UInt32) throws(NotOpened) -> Session {
    guard let waiting = table.withLock({ $0.waiting(for: token, peer: peer, now: wallSeconds()) }) else { throw .noSession }
    // The module makes the key itself, so it belongs to who asks. A user who names a key of root's names somebody else's.
    guard peer == geteuid(), SessionKey(key).status == .token else { throw .foreignKey(waiting) }
    if table.withLock({ $0.isFull(waiting.uid) }) { sweep(waiting.uid) }
    let opened = table.withLock { table -> Result<Session, NotOpened> in
      if table.open().contains(where: { $0.key == key }) { return .failure(.foreignKey(waiting)) }
      if table.isFull(waiting.uid) { return .failure(.tooMany(waiting)) }
      let session = table.open(token: token, key: key, terminal: terminal, peer: peer, now: wallSeconds())
      return session.map { .success($0) } ?? .failure(.noSession)
    }
    let session = try opened.get()
    do throws(SystemError) { try keep(session) } catch {
      // What a restart would forget is not open now, either.
      _ = table.withLock { $0.close(token: token, peer: peer) }
      throw .notRecorded(error)
    }
    return session
  }

  private func keep(_ session: Session) throws(SystemError) {
    guard let bytes = try? session.encoded() else { throw .call(.encode, "a session of \(session.user)", code: EMSGSIZE) }
    try folder.replace(session.identifier.text, with: bytes, .volatile)
  }

  /// The open session of a token, whoever has it; its token is used now.
  package func use(_ token: Span<UInt8>) -> Session? {
    expire()
    let used = table.withLock { table in
      table.use(token, now: wallSeconds()).map { (session: $0, mustBeKept: table.mustKeepUse(of: $0)) }
    }
    guard let used, SessionKey(used.session.key).status != .gone else { return nil }
    // The file says it after a restart of signetd, where the time without use ends a session.
    if used.mustBeKept { do throws(SystemError) { try keep(used.session) } catch { Log.write(.error, error.description) } }
    return used.session
  }

  /// The open session of this identifier, whose token is not used by that.
  package func session(_ identifier: SessionName) -> Session? {
    guard let session = table.withLock({ $0.session(identifier, at: wallSeconds()) }),
      SessionKey(session.key).status != .gone
    else { return nil }
    return session
  }

  /// The newest open session that the user has at the seat.
  package func atSeat(of uid: UInt32) -> Session? {
    // Of two that were opened in the same second the later one comes first, and is taken.
    open(of: uid).reversed().filter { $0.isAtSeat && SessionKey($0.key).status == .token }.max { $0.since < $1.since }
  }

  /// What the seals of a session's programs come from: `new` where there was nothing yet; `nil` where the session has ended.
  package func sealing(of session: Session, orElse new: [UInt8]) throws(SystemError) -> [UInt8]? {
    let found = table.withLock { table -> Session? in
      guard let known = table.session(session.identifier, at: wallSeconds()) else { return nil }
      return known.sealing.isEmpty ? table.setSealing(new, of: session.identifier) : known
    }
    guard let found else { return nil }
    if found.sealing == new { try keep(found) }
    return found.sealing
  }

  /// Destroys what the seals of a user's sessions come from: nothing opens them any more.
  package func destroySealing(of uid: UInt32) {
    for session in table.withLock({ $0.open(of: uid) }) where !session.sealing.isEmpty {
      do throws(SystemError) {
        guard let changed = table.withLock({ $0.setSealing([], of: session.identifier) }) else { continue }
        try folder.destroy(session.identifier.text)
        try keep(changed)
      } catch {
        Log.write(.error, error.description)
      }
    }
  }

  /// Ends all open sessions of a user but one.
  package func revokeOthers(than session: Session) -> [Session] {
    open(of: session.uid).compactMap { other in
      other.identifier == session.identifier ? nil : revoke(identifier: other.identifier, peer: session.uid)
    }
  }

  /// Forgets a user's sessions that ended without a word: nobody has their key any more.
  private func sweep(_ uid: UInt32) {
    let ended = table.withLock { $0.open(of: uid) }.filter { SessionKey($0.key).status == .gone }
    for session in ended { forget(table.withLock { $0.revoke(identifier: session.identifier, peer: uid) }) }
  }

  /// Ends the session of a token.
  package func close(token: Span<UInt8>, peer: UInt32) -> Session? {
    forget(table.withLock { $0.close(token: token, peer: peer) })
  }

  /// Ends an open session, and revokes its key from outside.
  package func revoke(identifier: SessionName, peer: UInt32) -> Session? {
    let session = forget(table.withLock { $0.revoke(identifier: identifier, peer: peer) })
    if let session { SessionKey(session.key).revoke() }
    return session
  }

  /// The open sessions of one user, or of all.
  package func open(of uid: UInt32?) -> [Session] {
    expire()
    return table.withLock { $0.open(of: uid) }
  }

  /// Whether a session of the user is open and has a process left: the kernel keeps its key for as long as one has.
  package func hasLiving(_ uid: UInt32) -> Bool { open(of: uid).contains { SessionKey($0.key).status != .gone } }

  package var isEmpty: Bool { table.withLock { $0.open().isEmpty } }

  private func expire() {
    for session in table.withLock({ $0.expire(now: wallSeconds()) }) {
      _ = forget(session)
      SessionKey(session.key).revoke()
    }
  }

  @discardableResult
  private func forget(_ session: Session?) -> Session? {
    guard let session, session.isOpen else { return session }
    do { try folder.remove(session.identifier.text) } catch { Log.write(.error, error.description) }
    return session
  }
}

extension Session {
  package func encoded() throws(FormatError) -> [UInt8] {
    try Record.encode(.session, uid: uid, limit: 4096) { packet throws(FormatError) in
      try packet.put(raw: digest.span)
      try packet.put(text: user, limit: FieldLimit.user)
      try packet.put(text: service, limit: FieldLimit.name)
      try packet.put(text: terminal, limit: FieldLimit.name)
      try packet.put(method.rawValue)
      try packet.put(since, size: 8)
      try packet.put(UInt64(UInt32(bitPattern: key)), size: 4)
      try packet.put(used, size: 8)
      try packet.put(sealing.span, limit: FieldLimit.token)
    }
  }

  package init(decoding bytes: [UInt8], identifier: SessionName) throws(FormatError) {
    let uid = try Record.uid(of: bytes)
    self = try Record.decode(.session, uid: uid, bytes) { reader, version throws(FormatError) in
      let digest = Array(copying: try reader.bytes(32))
      let user = try reader.text(limit: FieldLimit.user)
      let service = try reader.text(limit: FieldLimit.name)
      let terminal = try reader.text(limit: FieldLimit.name)
      guard let method = EvidenceMethod(rawValue: try reader.byte()) else { throw .badValue }
      let since = try reader.uint64()
      let key = Int32(bitPattern: try reader.uint32())
      let used = version > 1 ? try reader.uint64() : since
      let sealing = version > 1 ? Array(copying: try reader.string(limit: FieldLimit.token)) : []
      return Session(
        identifier: identifier, digest: digest, uid: uid, user: user, service: service, terminal: terminal, method: method,
        since: since, key: key, used: used, sealing: sealing)
    }
  }
}
