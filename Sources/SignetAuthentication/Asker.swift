/// Who is behind a request, as the kernel says. Nothing of it comes from a packet, and that the peer is root proves nothing: a
/// setuid program speaks as root for whoever started it.
public struct Asker: Equatable, Sendable {
  /// One of the kernel's answers about a process.
  public enum Answer: Equatable, Sendable {
    case user(UInt32)
    /// There is nobody: an audit login that was never set.
    case nobody
    /// The process is gone, or hidden.
    case unknown
  }

  /// The peer's effective uid when it connected (unix(7), `SO_PEERCRED`).
  public var uid: UInt32
  /// The peer's real uid (credentials(7)): who started a setuid program that did not change it.
  public var real: Answer
  /// Who logged in to where the peer comes from (pam_loginuid(8)); a process cannot change its own.
  public var login: Answer

  public init(uid: UInt32, real: Answer, login: Answer) {
    self.uid = uid
    self.real = real
    self.login = login
  }

  /// Whose request it is, to count what they do.
  public enum Source: Hashable, Sendable {
    case user(UInt32)
    /// A service that the system started, and that comes from nobody's login: login(1), a display manager, sshd.
    case service
    /// Nobody knows; to be treated as a stranger.
    case unknown
  }

  /// The login counts before the uid: who becomes another user stays the one who logged in.
  public var source: Source {
    if case .user(let user) = login { return .user(user) }
    if uid != 0 { return .user(uid) }
    switch real {
    case .user(0): return login == .nobody ? .service : .unknown
    case .user(let user): return .user(user)
    case .nobody, .unknown: return .unknown
    }
  }

  /// Whether everybody who is behind the request is this user.
  func isOnly(_ owner: UInt32) -> Bool {
    var parties: Set<UInt32> = uid == 0 ? [] : [uid]
    for case .user(let user) in [real, login] where user != 0 || login == .user(0) { parties.insert(user) }
    return parties == [owner]
  }
}

/// A session as logind knows it (sd-login(3)).
public struct LoginSession: Equatable, Sendable {
  public var user: UInt32
  /// Whether it comes over a network.
  public var isRemote: Bool
  /// Whether it is in the foreground of its seat.
  public var isActive: Bool
  /// Empty for none, as for cron and for ssh.
  public var seat: String
  /// Whether it is a display manager's own, which asks who wants to log in.
  public var isGreeter: Bool

  public init(user: UInt32, isRemote: Bool = false, isActive: Bool = true, seat: String = "seat0", isGreeter: Bool = false) {
    self.user = user
    self.isRemote = isRemote
    self.isActive = isActive
    self.seat = seat
    self.isGreeter = isGreeter
  }
}
