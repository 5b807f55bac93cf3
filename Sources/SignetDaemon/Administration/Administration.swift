import DaemonConnections
import DaemonReaders
import DaemonService
import SignetBytes
import SignetFiles
import SignetVocabulary
import SignetWire

/// What the command line asks. Each request says whose account it is about; anyone may ask about themselves, root about
/// anyone.
struct Administration {
  let daemon: Daemon
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  func serve(_ request: AdministrationRequest) throws(Interruption) {
    switch request {
    case .enroll(let name, let finger, let reader):
      guard let user = permitted(name, request.kind) else { return }
      try Enrollment(daemon: daemon, client: client, user: user).run(finger, onReader: reader)
    case .delete(let name, let finger):
      guard let user = permitted(name, request.kind) else { return }
      try Deletion(daemon: daemon, client: client, user: user).run(finger)
    case .list(let name):
      guard let user = permitted(name, request.kind) else { return }
      try list(user)
    case .status(let name):
      guard let user = permitted(name, request.kind) else { return }
      try status(user)
    case .readers: try readers()
    case .reset(let name):
      guard let user = permitted(name, request.kind) else { return }
      try reset(user)
    case .sessions: try sessions()
    case .revokeSession(let identifier): try revoke(identifier)
    case .suspend: try suspend()
    case .resume: try resume()
    case .lock(let name):
      guard let user = permitted(name, request.kind) else { return }
      try lock(user)
    case .history(let name, let limit):
      guard let user = permitted(name, request.kind) else { return }
      try HistoryRequest(daemon: daemon, client: client, user: user).serve(limit: limit)
    }
  }

  /// The user a request is about, if the peer may act for them; otherwise the client is told.
  func permitted(_ name: String, _ request: RequestKind) -> User? {
    let user = user(named: name)
    // Of signet-logind no other request than `lock` comes as far as this.
    guard let user, client.peer.mayActAs(user.uid) || client.caller == .sessionLocker else {
      if let user { record(.refused(request), of: user) }
      // Whether a foreign name exists is nobody's business.
      client.refuse(name.isEmpty ? .unknownUID(client.peer.uid) : client.peer.isRoot ? .unknownUser(name) : .otherUser)
      return nil
    }
    return user
  }

  private func record(_ event: Event, of user: User) {
    daemon.audit.record(event, of: user, by: Requester(client))
  }

  /// Records what the client was denied, for the user whom it named, or the client's own.
  func recordDenied(_ kind: RequestKind) {
    let request = try? client.read { fields throws(FormatError) in try AdministrationRequest(kind: kind, parsing: fields) }
    if let user = user(named: request?.user ?? "") { record(.refused(kind), of: user) }
  }

  /// Of no name the client's own.
  private func user(named name: String) -> User? {
    name.isEmpty ? User(uid: client.peer.uid) : User(named: Array(name.utf8).span)
  }

  private func list(_ user: User) throws(Interruption) {
    do {
      let fingers = daemon.store.value.openable(try daemon.store.value.fingers(of: user))
      for finger in fingers.usable {
        try client.send(
          .finger(FingerRow(finger: finger.finger, reader: finger.reader, enrolled: finger.enrolled)))
      }
      if let problem = fingers.unusable.first { return client.refuse(.stateUnusable(problem)) }
      try client.send(AdministrationReply.done)
    } catch let error as SystemError {
      client.refuse(.stateUnusable(error))
    } catch {
      throw error as? Interruption ?? .closed
    }
  }

  private func status(_ user: User) throws(Interruption) {
    let isEnrolled = (try? daemon.store.value.fingers(of: user).isEmpty) != true
    let standing = daemon.accounts[user.uid].standing
    // Without fingers there is nothing to lock, and no strikes file to miss.
    try client.send(
      .status(
        StatusRow(
          user: user.name, uid: user.uid, strikes: isEnrolled ? UInt8(clamping: standing.strikes) : 0,
          limit: UInt8(clamping: daemon.configuration.limits.strikes), lock: isEnrolled ? standing.lock : .none,
          wrongPasscodes: UInt8(clamping: standing.wrongPasscodes), passcodeDelay: UInt32(clamping: standing.passcodeDelay),
          fault: isEnrolled ? standing.fault : nil)))
    try client.send(.vault(daemon.vault.row(of: user)))
    try client.send(AdministrationReply.done)
  }

  private func readers() throws(Interruption) {
    let claim = daemon.readers.claim(for: ReaderStation.Holder(user: "uid \(client.peer.uid)", service: "signet readers"))
    if let refusal = claim.refusal { return client.refuse(refusal) }
    guard case .lease(let lease) = claim else { return }
    client.phase = .working
    switch ReaderList.read(with: ReaderSession(lease: lease, client: client)) {
    case .success(let readers):
      for reader in readers { try client.send(.reader(reader)) }
      try client.send(AdministrationReply.done)
    case .failure(let refusal): client.refuse(refusal)
    }
  }

  private func reset(_ user: User) throws(Interruption) {
    switch daemon.accounts[user.uid].reset() {
    case .success:
      record(.reset, of: user)
      try client.send(AdministrationReply.done)
    case .failure(let error): client.refuse(.stateUnusable(error))
    }
  }

  private func lock(_ user: User) throws(Interruption) {
    guard daemon.configuration.rules.afterLock else {
      return client.refuse(.lockSwitchedOff)
    }
    switch daemon.accounts[user.uid].requirePasscode() {
    case .success:
      record(.lockRequested, of: user)
      try client.send(AdministrationReply.done)
    case .failure(let error): client.refuse(.lockNotKept(error))
    }
  }

  private func sessions() throws(Interruption) {
    for session in daemon.sessions.open(of: client.peer.isRoot ? nil : client.peer.uid) {
      try client.send(
        .session(
          SessionRow(
            identifier: session.identifier.text, user: session.user, uid: session.uid, service: session.service,
            terminal: session.terminal, method: session.method, opened: session.since)))
    }
    try client.send(AdministrationReply.done)
  }

  private func revoke(_ identifier: String) throws(Interruption) {
    guard let name = SessionName(identifier), let session = daemon.sessions.revoke(identifier: name, peer: client.peer.uid) else {
      return client.refuse(.noSuchSession(identifier))
    }
    daemon.vault.closeEnded()
    record(.sessionRevoked(session.identifier), of: User(uid: session.uid, name: session.user))
    try client.send(AdministrationReply.done)
  }
}

/// Asks signet-reader which readers there are.
enum ReaderList {
  private static let limit: Int64 = 3_000

  static func read(with reader: ReaderSession) -> Result<[ReaderDescription], Refusal> {
    guard (try? reader.start()) != nil, let operation = try? reader.begin({ .list(operation: $0) }) else {
      return .failure(.readerUnavailable)
    }
    let deadline = bootMilliseconds() + limit
    var readers: [ReaderDescription] = []
    while true {
      switch reader.next(of: operation, until: deadline) {
      case .event(.reader(_, let description)): if readers.count < 64 { readers.append(description) }
      case .event(.listed): return .success(readers)
      case .event, .request: continue
      case .deadline, .interrupted, .trouble:
        reader.giveUp()
        return .failure(.readerUnavailable)
      }
    }
  }
}
