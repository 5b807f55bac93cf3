import SignetAuthentication

/// How often each source may guess at the passcode: five times, and strangers twenty times together; each one more after at
/// least an hour. A right passcode, or root, lets all begin anew.
struct Guesses {
  private struct Count {
    /// As many as are known for certain: those that a lost file took along are left out.
    var looks = 0
    /// As many as there can be.
    var most = 0
    /// Whether an hour has passed since the last one, which a restart may take back.
    var hasWaited = false

    func mayLook(_ free: Int) -> Bool { looks < free || hasWaited }
    func mustLook(_ free: Int) -> Bool { most < free }
    func next() -> Count { Count(looks: looks + 1, most: most + 1) }
    func forgotten() -> Count { Count(most: most, hasWaited: hasWaited) }
  }

  private var bySource: [PasscodeSource: Count] = [:]
  private var strangers = Count()
  /// Whether the file was lost. Where a restart takes what is in memory too, the counts are gone.
  private var isTorn = false

  /// The promise that what was seen breaks.
  mutating func see(_ observation: ModelledMachine.Observation, of event: Event) -> String? {
    var broken: String?
    if case .guessed(let source) = observation { broken = count(source) }
    if observation == .nothing, let source = event.rightPasscodeSource, mustLook(source) {
      broken = "a right passcode was not looked at, though nobody there had guessed too often"
    }
    if event == .sleepAnHour || event == .sleepTwoDays { wait() }
    if event == .tearRecord { isTorn = true }
    if event == .reboot, isTorn { forget() }
    if observation == .releasedByPasscode || event == .reset { self = Guesses() }
    return broken
  }

  private func mustLook(_ source: PasscodeSource) -> Bool {
    (bySource[source] ?? Count()).mustLook(5) && (source.lane != .strangers || strangers.mustLook(20))
  }

  private func mayLook(_ source: PasscodeSource) -> Bool {
    (bySource[source] ?? Count()).mayLook(5) && (source.lane != .strangers || strangers.mayLook(20))
  }

  private mutating func count(_ source: PasscodeSource) -> String? {
    defer {
      bySource[source] = (bySource[source] ?? Count()).next()
      if source.lane == .strangers { strangers = strangers.next() }
    }
    return mayLook(source) ? nil : "one more wrong passcode was looked at without waiting"
  }

  private mutating func forget() {
    bySource = bySource.mapValues { $0.forgotten() }
    strangers = strangers.forgotten()
  }

  private mutating func wait() {
    for source in bySource.keys { bySource[source]?.hasWaited = true }
    strangers.hasWaited = true
  }
}

extension Event {
  /// Where a right passcode is entered.
  fileprivate var rightPasscodeSource: PasscodeSource? {
    switch self {
    case .passcodeRight: .owner
    case .seatRight: .seat
    case .strangerRight: .stranger(.user(1001))
    default: nil
    }
  }
}
