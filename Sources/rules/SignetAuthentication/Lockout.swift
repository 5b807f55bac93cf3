// SignetAuthentication has the rules by which signetd decides: strikes, lockout, evaluations, evidence. It uses no files,
// clocks, sockets or readers; signetd does, and passes in times and outcomes. Read `Lockout` first.

import SignetVocabulary

/// What is stored of a user's lockout, so that it outlasts crashes and restarts.
public struct LockoutRecord: Equatable, Sendable {
  /// Misses in a row. A scan that is under way counts as one.
  public var strikes = 0
  /// Poor scans since the last verdict, in evaluations that ended without a verdict.
  public var poorScans = 0
  /// Scans since the last verdict that were cancelled on a reader that tells of no finger.
  public var unseenCancels = 0
  public var wrongPasscodes = PasscodeCountsRecord()
  /// When the passcode was last verified.
  public var lastPasscode: Moment?
  /// When a finger last matched.
  public var lastFingerprint: Moment?
  /// Whether `signet lock` was called and no passcode was entered since.
  public var isLockRequested = false

  public init() {}
}

/// Everything that decides whether a user's finger, or passcode, is looked at: a value without I/O.
///
/// For an event, ask for the value `after` it. If its `durable` record differs, write that to disk first, and only then adopt
/// the new value. So a crash in between can cost the user a strike, but can never give one back.
public struct Lockout: Equatable, Sendable {
  /// What happens to a user.
  public enum Event: Equatable, Sendable {
    /// A reader is about to be armed.
    case charge
    /// The scan did not match: the charge becomes a strike.
    case miss
    /// The scan matched: all strikes are cleared.
    case match
    /// The scan ended without a verdict, and its reader saw no finger since it was armed last: the charge is given back. A finger
    /// that was seen, whatever became of it, has had a look, and keeps the charge. Poor scans stay counted: the fingers of
    /// those that came before in the same scan are charged by that count.
    case giveBack(poorScans: Int)
    /// The same where the reader would not have told of a finger: so many in a row (`LockoutLimits.unseenCancels`) keep the charge.
    case cancelUnseen(poorScans: Int)
    /// A passcode is about to be checked.
    case passcodeCharge(PasscodeSource)
    /// The passcode is wrong.
    case passcodeWrong(PasscodeSource)
    /// The passcode could not be checked.
    case passcodeUndecided(PasscodeSource)
    /// The passcode is right: strikes, locks and all delays are cleared.
    case passcodeVerified(PasscodeSource)
    /// The passcode is required from now on.
    case lock
    /// Root clears strikes, locks and delays. This does not count as a use of the passcode, which may still be required.
    case reset
  }

  private var strikes: Strikes
  private var passcodes: PasscodeCounts
  private var lastPasscode: Moment?
  private var lastFingerprint: Moment?
  private var isLockRequested: Bool
  private let limits: LockoutLimits
  private let rules: PasscodeRules

  /// From the record as last made durable.
  public init(_ record: LockoutRecord, limits: LockoutLimits, rules: PasscodeRules) {
    strikes = Strikes(record.strikes, poorScans: record.poorScans, unseenCancels: record.unseenCancels)
    passcodes = PasscodeCounts(record.wrongPasscodes)
    lastPasscode = record.lastPasscode
    lastFingerprint = record.lastFingerprint
    isLockRequested = record.isLockRequested
    self.limits = limits
    self.rules = rules
  }

  /// The value where the record is missing or cannot be trusted. What is known of wrong passcodes still counts.
  public static func unusable(_ known: LockoutRecord, limits: LockoutLimits, rules: PasscodeRules) -> Lockout {
    var lockout = Lockout(known, limits: limits, rules: rules)
    lockout.becomeUnusable()
    return lockout
  }

  /// To be called when the record is found missing or cannot be trusted any more. If a scan is under way, its match will open
  /// nothing.
  public mutating func becomeUnusable() { strikes = strikes.lost() }

  /// To be called when the disk has another record than the one last written. The higher count of strikes holds.
  public mutating func reload(_ record: LockoutRecord) {
    strikes = strikes.reloaded(record.strikes, poorScans: record.poorScans, unseenCancels: record.unseenCancels)
    passcodes = passcodes.reloaded(record.wrongPasscodes)
    lastPasscode = record.lastPasscode
    lastFingerprint = record.lastFingerprint
    isLockRequested = record.isLockRequested
  }

  /// The record that should be on disk. In place of an unusable record it has enough strikes to lock.
  public var durable: LockoutRecord {
    var record = LockoutRecord()
    record.strikes = strikes.durable ?? limits.strikes
    record.poorScans = strikes.poorScans
    record.unseenCancels = strikes.unseenCancels
    record.wrongPasscodes = passcodes.durable
    record.lastPasscode = lastPasscode
    record.lastFingerprint = lastFingerprint
    record.isLockRequested = isLockRequested
    return record
  }

  public var isUsable: Bool { strikes.durable != nil }

  /// The lockout rule: why no finger is looked at now, so that only the passcode or root can help, or `none`. Its numbers are
  /// in `LockoutLimits` and `PasscodeRules`. `liftingRestart`: the finger that is asked about opens the vault itself.
  public func lock(at now: Moment, liftingRestart: Bool = false) -> LockReason {
    if !isUsable { return .stateUnusable }
    if strikes.areLocked(at: limits.strikes) { return .strikes }
    if rules.afterLock, isLockRequested { return .requested }
    if rules.afterBoot, !liftingRestart, isFirstUse(at: now) { return .restart }
    let passcode = seconds(since: lastPasscode, at: now)
    let fingerprint = seconds(since: lastFingerprint, at: now)
    if let limit = rules.inactivity, min(passcode, fingerprint) >= limit { return .inactivity }
    if let limit = rules.passcodeAge, passcode >= limit, fingerprint >= rules.fingerprintAge { return .passcodeAge }
    return .none
  }

  /// Whether neither the passcode nor, where that is enough, a finger was used since the machine was started.
  public func isFirstUse(at now: Moment) -> Bool {
    if lastPasscode?.isInBoot(of: now) == true { return false }
    // No finger was looked at before the passcode in this boot but one that opened the vault.
    return !(rules.fingerAfterRestart && lastFingerprint?.isInBoot(of: now) == true)
  }

  /// In how many seconds time alone locks, if nothing happens before; `nil` where it never does, and where something locks now.
  public func secondsToLock(at now: Moment) -> UInt64? {
    guard lock(at: now) == .none else { return nil }
    func rest(_ limit: UInt64, since moment: Moment?) -> UInt64 { limit - min(limit, seconds(since: moment, at: now)) }
    let inactivity = rules.inactivity.map { max(rest($0, since: lastPasscode), rest($0, since: lastFingerprint)) }
    let age = rules.passcodeAge.map { max(rest($0, since: lastPasscode), rest(rules.fingerprintAge, since: lastFingerprint)) }
    return [inactivity, age].compactMap(\.self).min()
  }

  private func seconds(since moment: Moment?, at now: Moment) -> UInt64 { moment.map { now.secondsAtMost(since: $0) } ?? .max }

  /// Poor scans since the last verdict. The next evaluation goes on counting from this number.
  public var poorScans: Int { strikes.poorScans }

  /// How many more misses it takes to lock.
  public var missesLeft: Int { max(0, limits.strikes - durable.strikes) }

  /// The wrong passcodes of one source, and how long the next one from there has to wait.
  public func passcodes(from source: PasscodeSource, at now: Moment) -> PasscodeStatus {
    passcodes.status(of: source, at: now, rules)
  }

  /// The value after an event; `nil` where the event cannot happen now, and must be ignored.
  public func after(_ event: Event, at now: Moment) -> Lockout? { after(event, at: now, liftingRestart: false) }

  /// The same for a finger that, after a restart, opens the vault itself.
  public func after(_ event: Event, at now: Moment, liftingRestart: Bool) -> Lockout? {
    var next = self
    next.forgetUntrustedMoments(at: now)
    switch event {
    case .charge:
      guard lock(at: now, liftingRestart: liftingRestart) == .none, let charged = strikes.charged() else { return nil }
      next.strikes = charged
    case .miss:
      guard let missed = strikes.missed() else { return nil }
      next.strikes = missed
    case .match:
      // If a lock came while the reader was armed, the match does not undo it.
      guard lock(at: now, liftingRestart: liftingRestart) == .none, let matched = strikes.matched() else { return nil }
      next.strikes = matched
      next.lastFingerprint = now
    case .giveBack(let poorScans):
      guard let before = strikes.givenBack(poorScans: poorScans) else { return nil }
      next.strikes = before
    case .cancelUnseen(let poorScans):
      guard let after = strikes.cancelledUnseen(poorScans: poorScans, limit: limits.unseenCancels) else { return nil }
      next.strikes = after
    case .passcodeCharge(let source):
      guard let begun = passcodes.begun(source, at: now, rules) else { return nil }
      next.passcodes = begun
    case .passcodeWrong(let source):
      guard let failed = passcodes.failed(source, at: now) else { return nil }
      next.passcodes = failed
    case .passcodeUndecided(let source):
      guard let before = passcodes.undecided(source) else { return nil }
      next.passcodes = before
    case .passcodeVerified(let source):
      guard let verified = passcodes.verified(source) else { return nil }
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

  /// Forgets moments that lie in the future or in another boot. Kept, they would look recent again once the clocks have
  /// caught up with them, and a finger would be enough where the passcode is due.
  private mutating func forgetUntrustedMoments(at now: Moment) {
    if seconds(since: lastPasscode, at: now) == .max { lastPasscode = nil }
    if seconds(since: lastFingerprint, at: now) == .max { lastFingerprint = nil }
  }

  private mutating func unlock() {
    strikes = strikes.cleared()
    isLockRequested = false
  }
}
