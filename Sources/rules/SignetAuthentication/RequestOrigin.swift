/// Who is behind a request, as the kernel says. Nothing of it comes from a packet, and that the peer is root proves nothing: a
/// setuid program speaks as root for whoever started it.
public struct RequestOrigin: Equatable, Sendable {
  /// One of the kernel's answers about a process.
  public enum Answer: Equatable, Sendable {
    case user(UInt32)
    /// There is nobody: an audit login that was never set.
    case nobody
    /// The process is gone, or hidden.
    case unknown

    /// Whether it is a user other than root.
    fileprivate var isSomebody: Bool {
      if case .user(let user) = self { user != 0 } else { false }
    }
  }

  /// The peer's effective uid when it connected (unix(7), `SO_PEERCRED`).
  public var uid: UInt32
  /// The peer's real uid (credentials(7)): who started a setuid program that did not change it.
  public var real: Answer
  /// Who logged in to where the peer comes from, as /proc/PID/loginuid says. It proves nothing by itself: a process whose login
  /// was never set, as a service's is not, may write any number there, once.
  public var login: Answer
  /// The peer's real group; `nil` where nobody knows. A program that made itself root still has that of whoever started it.
  public var realGroup: UInt32?
  /// Only looked up where it can change `source`.
  public var group: ControlGroup

  public init(uid: UInt32, real: Answer, login: Answer, realGroup: UInt32? = nil, group: ControlGroup = .system) {
    self.uid = uid
    self.real = real
    self.login = login
    self.realGroup = realGroup
    self.group = group
  }

  /// Whose request it is, to count what they do.
  public enum Source: Hashable, Sendable {
    case user(UInt32)
    /// A service that the system started, and that comes from nobody's login: login(1), a display manager, sshd.
    case service
    /// Nobody knows; to be treated as a stranger.
    case unknown
  }

  /// Whether the login is the one that the real uid says, so that the control group has nothing to add. Root's says nothing:
  /// any service can have written that.
  public var isSelf: Bool { real == login && real.isSomebody }

  /// Whose slice it is counts before the uid: who becomes another user stays the one who logged in. A login counts only where the
  /// asker could not have made it up.
  public var source: Source {
    if !isSelf, case .user(let user) = group { return .user(user) }
    if case .user(let user) = real, user != 0 { return .user(user) }
    return uid == 0 ? sourceOfRoot : .user(uid)
  }

  /// For the user whom it runs as, root: it is what it says only where root started it, too, and then root knows who logged in.
  private var sourceOfRoot: Source {
    guard real == .user(0), realGroup == 0, group == .system else { return .unknown }
    switch login {
    case .user(let user): return .user(user)
    case .nobody: return .service
    case .unknown: return .unknown
    }
  }

  /// Whether everybody who is behind the request is this user, and whoever says that they are.
  func isOnly(_ owner: UInt32) -> Bool {
    guard source == .user(owner) else { return false }
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
