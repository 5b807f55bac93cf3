/// Where passcodes for an account come from. Wrong ones are counted for each source by itself, so that nobody makes anybody
/// else wait but the strangers one another.
public enum PasscodeSource: Hashable, Sendable {
  /// The user whose account it is.
  case owner
  /// A service of the system that opens logins at the machine: login(1), a display manager.
  case seat
  /// A service of the system that opens logins from other machines, such as sshd.
  case remote
  case stranger(Stranger)

  /// Somebody else than the owner.
  public enum Stranger: Hashable, Sendable {
    case user(UInt32)
    /// All of whom nobody knows who they are.
    case unknown
  }

  /// `isRemote`: whether the asker says that it asks for another machine. Only services of the system are believed in this.
  public init(of origin: RequestOrigin, for owner: UInt32, isRemote: Bool) {
    switch origin.source {
    case .user(owner): self = .owner
    case .user(let user): self = .stranger(.user(user))
    case .service: self = isRemote ? .remote : .seat
    case .unknown: self = .stranger(.unknown)
    }
  }

  /// Sources that wait for one another while a passcode is checked.
  public enum Lane: Hashable, CaseIterable, Sendable { case owner, seat, remote, strangers }

  /// All strangers have one lane, so that what they may do together is bounded however many they are.
  public var lane: Lane {
    switch self {
    case .owner: .owner
    case .seat: .seat
    case .remote: .remote
    case .stranger: .strangers
    }
  }
}
