import SignetAuthentication

/// The real lockout and the real evaluation, driven as signetd drives them: charged and durable first, then armed; a crash
/// leaves what is durable.
struct ModelledMachine: ~Copyable {
  /// What was seen to happen at the reader and at the login.
  enum Observation: Equatable {
    /// `unseen`: a scan was cancelled that may have looked at a finger.
    case armed, missed, unseen, releasedByFinger, releasedByPasscode, nothing
    /// A wrong passcode was looked at.
    case guessed(PasscodeSource)
  }

  private(set) var now = Moment(boot: Moment.Boot(high: 1, low: 0), sinceBoot: 3_600_000, wall: 1_800_000_000)
  private var disk: LockoutRecord?
  /// The second copy of what was written last, which is in memory. After a restart of the machine it is what the disk had.
  private var latest: LockoutRecord?
  /// How many strangers have come so far.
  private var strangers: UInt32 = 0
  private var lockout: Lockout
  private var evaluation: Evaluation?
  private var operation: UInt32 = 0
  private let limits = LockoutLimits()
  private let rules = PasscodeRules()

  /// A signetd that only counts in memory, which the model must notice.
  private let forgetsStrikesInCrashes: Bool

  init(forgetsStrikesInCrashes: Bool = false) {
    self.forgetsStrikesInCrashes = forgetsStrikesInCrashes
    // A user who has just enrolled, with the passcode.
    var record = LockoutRecord()
    record.lastPasscode = now
    (disk, latest) = (record, record)
    lockout = Lockout(record, limits: limits, rules: rules)
  }

  var isArmed: Bool { evaluation != nil }

  /// Whether the user is locked out for good: even after waiting, the passcode does not let them in and arm the reader again.
  var isShutForGood: Bool {
    var later = ModelledMachine(after: self)
    return later.happen(.passcodeRight) != .releasedByPasscode || later.happen(.begin) != .armed
  }

  private init(after machine: borrowing ModelledMachine) {
    now = machine.now
    (disk, latest) = (machine.disk, machine.latest)
    lockout = machine.lockout
    forgetsStrikesInCrashes = false
    restart()
    pass(48 * 3600)
  }

  mutating func happen(_ event: Event) -> Observation {
    switch event {
    case .begin: return begin()
    case .touchRight: return match(operation)
    case .touchWrong: return miss(operation)
    case .touchPoor: poorScan()
    case .lateMatch: return isArmed ? match(operation &- 1) : match(operation)
    case .lateMiss: return isArmed ? miss(operation &- 1) : miss(operation)
    case .cancel: end(giving: true)
    case .cancelUnseen: return cancelUnseen()
    case .loseReader: end(giving: false)
    case .kill: restart()
    case .reboot:
      now = Moment(boot: Moment.Boot(high: now.boot!.high + 1, low: 0), sinceBoot: 20_000, wall: now.wall + 30)
      latest = disk
      restart()
    case .sleepAnHour: pass(3600)
    case .sleepTwoDays: pass(48 * 3600)
    case .setClockBack: now.wall -= 1_000_000
    case .setClockForward: now.wall += 1_000_000
    case .restoreMemory:
      now.sinceBoot -= min(now.sinceBoot, 3_600_000)
      restart()
    case .passcodeRight: return passcode(.right, from: .owner)
    case .passcodeWrong: return passcode(.wrong, from: .owner)
    case .passcodeKilled: return passcode(.killed, from: .owner)
    case .seatRight: return passcode(.right, from: .seat)
    case .seatWrong: return passcode(.wrong, from: .seat)
    case .remoteWrong: return passcode(.wrong, from: .remote)
    case .strangerRight: return passcode(.right, from: .stranger(.user(1001)))
    case .strangerWrong: return passcode(.wrong, from: .stranger(.user(1001)))
    case .strangerKilled: return passcode(.killed, from: .stranger(.user(1001)))
    case .newStrangerWrong:
      strangers += 1
      return passcode(.wrong, from: .stranger(.user(2000 + strangers)))
    case .unknownWrong: return passcode(.wrong, from: .stranger(.unknown))
    case .lock: _ = adopt(.lock)
    case .tearRecord:
      disk = nil
      lockout.becomeUnusable()
    case .reset: _ = adopt(.reset)
    }
    return .nothing
  }

  private mutating func pass(_ seconds: UInt64) {
    now.sinceBoot += seconds * 1000
    now.wall += seconds
  }

  @discardableResult
  private mutating func adopt(_ event: Lockout.Event) -> Bool {
    guard let next = lockout.after(event, at: now) else { return false }
    write(next.durable)
    lockout = next
    return true
  }

  private mutating func write(_ record: LockoutRecord) {
    var record = record
    if forgetsStrikesInCrashes { record.strikes = 0 }
    (disk, latest) = (record, record)
  }

  private mutating func begin() -> Observation {
    guard evaluation == nil else { return .nothing }
    var next = Evaluation(uid: 1000, policy: .deviceOwnerAuthentication, limits: limits, poorScans: lockout.poorScans)
    guard case .scan = next.begin(isLocked: lockout.lock(at: now) != .none), adopt(.charge) else { return .nothing }
    operation += 1
    next.arm(operation: operation)
    evaluation = consume next
    return .armed
  }

  private mutating func match(_ operation: UInt32) -> Observation {
    guard let evidence = evaluation?.match(operation: operation) else { return .nothing }
    evaluation = nil
    let isReleased = adopt(.match)
    if !isReleased { adopt(.miss) }
    _ = consume evidence
    return isReleased ? .releasedByFinger : .nothing
  }

  private mutating func miss(_ operation: UInt32) -> Observation {
    guard let next = evaluation?.miss(operation: operation, isLockedNow: false) else { return .nothing }
    let isCounted = adopt(.miss)
    // The login goes on to its next scan, if it may.
    guard case .scan = next, adopt(.charge) else {
      evaluation = nil
      return isCounted ? .missed : .nothing
    }
    self.operation += 1
    evaluation?.arm(operation: self.operation)
    return .missed
  }

  private mutating func poorScan() {
    guard let next = evaluation?.poorScan(operation: operation) else { return }
    guard case .scan = next else { return end(giving: false) }
    operation += 1
    evaluation?.arm(operation: operation)
  }

  private mutating func end(giving: Bool) {
    guard let poorScans = evaluation?.poorScans else { return }
    evaluation = nil
    adopt(giving ? .giveBack(poorScans: poorScans) : .miss)
  }

  private mutating func cancelUnseen() -> Observation {
    guard let poorScans = evaluation?.poorScans else { return .nothing }
    evaluation = nil
    return adopt(.cancelUnseen(poorScans: poorScans)) ? .unseen : .nothing
  }

  private mutating func restart() {
    evaluation = nil
    if let disk {
      lockout = Lockout(disk, limits: limits, rules: rules)
    } else {
      lockout = .unusable(latest ?? LockoutRecord(), limits: limits, rules: rules)
    }
  }

  private enum Check { case right, wrong, killed }

  private mutating func passcode(_ check: Check, from source: PasscodeSource) -> Observation {
    guard adopt(.passcodeCharge(source)) else { return .nothing }
    switch check {
    case .right: return adopt(.passcodeVerified(source)) ? .releasedByPasscode : .nothing
    case .wrong: adopt(.passcodeWrong(source))
    case .killed: restart()
    }
    return .guessed(source)
  }
}
