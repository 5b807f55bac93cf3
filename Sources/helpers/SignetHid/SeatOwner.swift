/// Whose device may be there, as a value: the user whose session is the active one of the seat, while it is not locked.
struct SeatOwner {
  /// What logind says of a session; `nil`: nothing.
  struct Session: Equatable {
    var uid: UInt32?
    /// A user's own session at this seat, and not one from elsewhere.
    var isAtSeat: Bool?
    var isActive: Bool?
    var isLocked: Bool?
  }

  /// The path of the active session on the bus.
  private var path: String?
  private var session = Session()
  /// The number of the question about it; an answer to another one is late.
  private var question: UInt32 = 0
  /// Sessions whose locker was told to lock. Not every locker says so by the session's property, and some lock a moment later.
  private var locked: [String] = []

  /// Nobody, until all is known.
  var uid: UInt32? {
    guard let path, session.isAtSeat == true, session.isActive == true, session.isLocked == false, !locked.contains(path) else {
      return nil
    }
    return session.uid
  }

  /// Another session is the active one, or none. Returns the number of the question that is to be asked about it.
  mutating func activated(_ path: String?) -> UInt32? {
    self.path = path
    session = Session()
    question &+= 1
    return path == nil ? nil : question
  }

  /// The answer.
  mutating func described(_ question: UInt32, _ session: Session) {
    if question == self.question { self.session = session }
  }

  /// Some of what is known of a session is another.
  mutating func changed(_ path: String, _ now: Session) {
    // Whoever opened it has proved who they are.
    if now.isLocked == false { locked.removeAll { $0 == path } }
    guard path == self.path else { return }
    session.isActive = now.isActive ?? session.isActive
    session.isLocked = now.isLocked ?? session.isLocked
  }

  /// The locker of a session was told to lock, or to open it.
  mutating func told(_ path: String, toLock: Bool) {
    locked.removeAll { $0 == path }
    if toLock { locked.append(path) }
  }

  /// There is no such session any more.
  mutating func removed(_ path: String) {
    locked.removeAll { $0 == path }
    if path == self.path { _ = activated(nil) }
  }

  /// What is known holds no longer: another logind begins.
  mutating func vanished() {
    locked = []
    _ = activated(nil)
  }
}
