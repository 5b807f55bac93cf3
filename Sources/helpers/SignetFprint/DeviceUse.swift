#if !hasFeature(Embedded)
  import SignetWire
#endif

/// Whoever sent a message: their name on the bus, and who that is.
struct Sender: Equatable {
  var name: String
  var identity: BusSender
}

/// Whose turn it is at a device, and what it does for them, as a value without I/O.
struct DeviceUse {
  struct Claim: Equatable {
    var sender: Sender
    /// Whom it is about, as the sender named them; empty for the sender.
    var user: String
  }

  /// What has been started and not been stopped yet, whether or not it has come to its end.
  enum Action: Equatable { case verify, enroll }

  private(set) var claim: Claim?
  private(set) var action: Action?

  mutating func claim(_ claim: Claim) throws(BusError) {
    if self.claim != nil { throw .otherClaim }
    self.claim = claim
  }

  /// The claim of whoever asks.
  func claim(of sender: String) throws(BusError) -> Claim {
    guard let claim else { throw .notClaimed }
    guard claim.sender.name == sender else { throw .otherClaim }
    return claim
  }

  mutating func begin(_ action: Action, for sender: String) throws(BusError) {
    _ = try claim(of: sender)
    if self.action != nil { throw .busy }
    self.action = action
  }

  mutating func stop(_ action: Action, for sender: String) throws(BusError) {
    _ = try claim(of: sender)
    guard self.action == action else { throw BusError(.noActionInProgress, "Nothing is in progress.") }
    self.action = nil
  }

  /// It could not be started.
  mutating func abandon() { action = nil }

  mutating func release(by sender: String) throws(BusError) {
    _ = try claim(of: sender)
    end()
  }

  /// The claimer has left the bus.
  mutating func end() { (claim, action) = (nil, nil) }
}
