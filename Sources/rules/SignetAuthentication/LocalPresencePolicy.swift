/// For whose login a finger is asked for (promise 7 of the design).
public enum FingerFor: String, Equatable, Sendable {
  /// Where it can be the owner's hand only.
  case own
  /// Wherever a user is asked for: for machines with one person, and for tests.
  case anyone
}

/// Whether the hand at the reader can be that of the user who is asked for. A value without I/O: what it is made of is read
/// by signetd.
public struct LocalPresencePolicy: Sendable {
  /// Why it can be somebody else's, so that no finger is asked for.
  public enum PresenceFailure: String, Error, Sendable {
    /// Another user started this, or nobody can say who did.
    case otherUser
    /// It comes from a session over a network.
    case remote
    /// The session is not the one in the foreground.
    case inactive
    /// It comes from no session at the reader's seat: cron, a container, a service.
    case elsewhere
    /// A service of the system that is not in `seat_services`.
    case service
  }

  /// Where the asker is, by logind; or by the kernel alone, where there is no logind.
  public struct Location: Equatable, Sendable {
    /// Whether there is a logind to ask.
    public var hasLogind: Bool
    /// The session that the asker's process belongs to.
    public var session: LoginSession?
    /// For a process of no session: whose service manager (`user@.service`) started it.
    public var manager: UInt32?
    /// The open sessions of the user who is asked for. Only needed where the asker is in none.
    public var ownSessions: [LoginSession] = []
    /// The session in the foreground of the reader's seat.
    public var seatSession: LoginSession?
    public var terminal: Terminal

    public init(
      hasLogind: Bool, session: LoginSession? = nil, manager: UInt32? = nil, ownSessions: [LoginSession] = [],
      seatSession: LoginSession? = nil, terminal: Terminal = .none
    ) {
      self.hasLogind = hasLogind
      self.session = session
      self.manager = manager
      self.ownSessions = ownSessions
      self.seatSession = seatSession
      self.terminal = terminal
    }
  }

  /// The terminal that controls the asker's process.
  public enum Terminal: Equatable, Sendable {
    case none
    /// The virtual console that is shown at the seat now.
    case shownConsole
    /// One that is not shown, a serial line, or a terminal of a program, which may be at the other end of a network.
    case other
  }

  private let owner: UInt32
  private let seat: String

  /// `owner` is the user who is asked for, `seat` where the reader is.
  public init(owner: UInt32, seat: String) {
    self.owner = owner
    self.seat = seat
  }

  /// Throws where the asker is somebody else. `isSeatService`: whether it says that it is a service which opens logins at the
  /// seat; this is believed of a service that the system started, and of nobody else.
  public func judge(_ origin: RequestOrigin, isSeatService: Bool) throws(PresenceFailure) {
    if origin.source == .service {
      guard isSeatService else { throw .service }
    } else {
      guard origin.isOnly(owner) else { throw .otherUser }
    }
  }

  /// Throws where an asker who has passed the other judgement is not at the reader.
  public func judge(_ location: Location, of origin: RequestOrigin) throws(PresenceFailure) {
    if origin.source == .service { return try judgeService(at: location) }
    guard location.hasLogind else {
      guard origin.login == .user(owner), location.terminal == .shownConsole else { throw .elsewhere }
      return
    }
    if let session = location.session { return try judge(session) }
    guard location.manager == owner, location.ownSessions.contains(where: { (try? judge($0)) != nil }) else {
      throw .elsewhere
    }
  }

  private func judge(_ session: LoginSession) throws(PresenceFailure) {
    if session.user != owner { throw .otherUser }
    if session.isRemote { throw .remote }
    if session.seat != seat { throw .elsewhere }
    if !session.isActive { throw .inactive }
  }

  /// A service may ask on the console that is shown, or without a terminal where the seat shows a greeter, which is its own
  /// prompt, or the owner's session, which it unlocks.
  private func judgeService(at location: Location) throws(PresenceFailure) {
    switch location.terminal {
    case .shownConsole: return
    case .other: throw .elsewhere
    case .none: break
    }
    guard let shown = location.seatSession else { throw .elsewhere }
    guard shown.isGreeter || shown.user == owner else { throw .otherUser }
    if shown.isRemote { throw .remote }
  }
}
