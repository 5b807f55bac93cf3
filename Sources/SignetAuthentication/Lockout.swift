// SignetAuthentication decides, and does nothing else: strikes, lockout, evaluations, evidence. Files, clocks, sockets and
// readers are the daemon's; time and outcomes are passed in. Read `Lockout` first.

import SignetVocabulary

/// What is kept of a user's lockout, through crashes and restarts.
public struct LockoutRecord: Equatable, Sendable {
  /// Misses in a row; a scan under way is among them.
  public var strikes = 0
  /// Poor scans since the last verdict, where the evaluations ended without one.
  public var poorScans = 0
  /// Wrong passcodes in a row; one being checked is among them.
  public var wrongPasscodes = 0
  public var lastWrongPasscode: Moment?
  /// When the passcode was last verified.
  public var lastPasscode: Moment?
  /// When a finger last matched.
  public var lastFingerprint: Moment?
  /// `signet lock`, and no passcode since.
  public var isLockRequested = false

  public init() {}
}

/// Everything that decides whether a user's finger, or passcode, is looked at: a value without I/O. Ask for the value after
/// an event, make its `durable` record durable where it differs, and only then adopt it; so a crash between the two can
/// cost a strike, never give one back.
public struct Lockout: Equatable, Sendable {
  /// What happens to a user.
  public enum Event: Equatable, Sendable {
    /// A reader is about to be armed.
    case charge
    /// The scan did not match: the charge becomes a strike.
    case miss
    /// The scan matched: all strikes are cleared.
    case match
    /// No finger decided anything (cancel, time-out): the charge is given back. The poor scans up to now are kept.
    case giveBack(poorScans: Int)
    /// A passcode is about to be checked.
    case passcodeCharge
    /// It is wrong.
    case passcodeWrong
    /// It could not be checked.
    case passcodeUndecided
    /// It is right: strikes, locks and delays are cleared.
    case passcodeVerified
    /// The passcode is required from now on.
    case lock
    /// Root clears strikes, locks and delays. No rule about the passcode's last use is touched: nobody used it.
    case reset
  }

  private var strikes: Strikes
  private var passcodes: PasscodeAttempts
  private var lastPasscode: Moment?
  private var lastFingerprint: Moment?
  private var isLockRequested: Bool
  private let limits: LockoutLimits
  private let rules: PasscodeRules

  /// From the record as last made durable.
  public init(_ record: LockoutRecord, limits: LockoutLimits, rules: PasscodeRules) {
    strikes = Strikes(record.strikes, poorScans: record.poorScans)
    passcodes = PasscodeAttempts(wrong: record.wrongPasscodes, latest: record.lastWrongPasscode)
    lastPasscode = record.lastPasscode
    lastFingerprint = record.lastFingerprint
    isLockRequested = record.isLockRequested
    self.limits = limits
    self.rules = rules
  }

  /// For a record that is missing or cannot be believed. What is known of wrong passcodes still counts.
  public static func unusable(_ known: LockoutRecord, limits: LockoutLimits, rules: PasscodeRules) -> Lockout {
    var lockout = Lockout(known, limits: limits, rules: rules)
    lockout.becomeUnusable()
    return lockout
  }

  /// The record is missing, or cannot be believed any more. A match of a scan that is under way opens nothing.
  public mutating func becomeUnusable() { strikes = strikes.lost() }

  /// Another record is on disk than the one last written. The higher count of strikes is taken.
  public mutating func reload(_ record: LockoutRecord) {
    strikes = strikes.reloaded(record.strikes, poorScans: record.poorScans)
    if !passcodes.isChecking { passcodes = PasscodeAttempts(wrong: record.wrongPasscodes, latest: record.lastWrongPasscode) }
    lastPasscode = record.lastPasscode
    lastFingerprint = record.lastFingerprint
    isLockRequested = record.isLockRequested
  }

  /// The record to have on disk. Where it was unusable, what is written in its place locks.
  public var durable: LockoutRecord {
    var record = LockoutRecord()
    record.strikes = strikes.durable ?? limits.strikes
    record.poorScans = strikes.poorScans
    record.wrongPasscodes = passcodes.wrong
    record.lastWrongPasscode = passcodes.latest
    record.lastPasscode = lastPasscode
    record.lastFingerprint = lastFingerprint
    record.isLockRequested = isLockRequested
    return record
  }

  public var isUsable: Bool { strikes.durable != nil }

  /// Why only the passcode, or root, may go on. This is the lockout rule: its numbers are `LockoutLimits` and
  /// `PasscodeRules`.
  public func lock(at now: Moment) -> LockReason {
    if !isUsable { return .stateUnusable }
    if strikes.areLocked(at: limits.strikes) { return .strikes }
    if rules.afterLock, isLockRequested { return .requested }
    if rules.afterBoot, lastPasscode?.isInBoot(of: now) != true { return .restart }
    let passcode = seconds(since: lastPasscode, at: now)
    let fingerprint = seconds(since: lastFingerprint, at: now)
    if let limit = rules.inactivity, min(passcode, fingerprint) >= limit { return .inactivity }
    if let limit = rules.passcodeAge, passcode >= limit, fingerprint >= rules.fingerprintAge { return .passcodeAge }
    return .none
  }

  private func seconds(since moment: Moment?, at now: Moment) -> UInt64 { moment.map { now.secondsAtMost(since: $0) } ?? .max }

  /// Poor scans since the last verdict; the next evaluation goes on counting from here.
  public var poorScans: Int { strikes.poorScans }

  /// Misses left until the lock.
  public var missesLeft: Int { max(0, limits.strikes - durable.strikes) }

  /// Seconds until the next passcode may be looked at, 0 for now.
  public func passcodeDelay(at now: Moment) -> UInt64 { passcodes.delay(at: now, rules) }

  /// The value after an event, or `nil` where the event is not possible now and counts for nothing.
  public func after(_ event: Event, at now: Moment) -> Lockout? {
    var next = self
    next.forgetUntrustedMoments(at: now)
    switch event {
    case .charge:
      guard lock(at: now) == .none, let charged = strikes.charged() else { return nil }
      next.strikes = charged
    case .miss:
      guard let missed = strikes.missed() else { return nil }
      next.strikes = missed
    case .match:
      // A lock that came while the reader was armed stands.
      guard lock(at: now) == .none, let matched = strikes.matched() else { return nil }
      next.strikes = matched
      next.lastFingerprint = now
    case .giveBack(let poorScans):
      guard let before = strikes.givenBack(poorScans: poorScans) else { return nil }
      next.strikes = before
    case .passcodeCharge:
      guard let begun = passcodes.begun(at: now, rules) else { return nil }
      next.passcodes = begun
    case .passcodeWrong:
      guard let failed = passcodes.failed(at: now) else { return nil }
      next.passcodes = failed
    case .passcodeUndecided:
      guard let before = passcodes.undecided() else { return nil }
      next.passcodes = before
    case .passcodeVerified:
      guard let verified = passcodes.verified() else { return nil }
      next.passcodes = verified
      next.lastPasscode = now
      next.unlock()
    case .lock:
      next.isLockRequested = true
    case .reset:
      next.passcodes = passcodes.forgiven()
      next.unlock()
    }
    return next
  }

  /// A moment that no clock can reach back to now would look recent again once the clocks have caught up with it.
  private mutating func forgetUntrustedMoments(at now: Moment) {
    if seconds(since: lastPasscode, at: now) == .max { lastPasscode = nil }
    if seconds(since: lastFingerprint, at: now) == .max { lastFingerprint = nil }
  }

  private mutating func unlock() {
    strikes = strikes.cleared()
    isLockRequested = false
  }
}
