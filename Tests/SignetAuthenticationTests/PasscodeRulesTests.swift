import SignetAuthentication
import SignetVocabulary
import Testing

/// When the passcode is required whatever the finger says.
@Suite struct PasscodeRulesTests {
  private static let hour: UInt64 = 3600

  private static func lockout(
    passcode: Moment? = .start, fingerprint: Moment? = nil, _ change: (inout PasscodeRules) -> Void = { _ in }
  ) -> Lockout {
    var record = LockoutRecord()
    record.lastPasscode = passcode
    record.lastFingerprint = fingerprint
    var rules = PasscodeRules()
    change(&rules)
    return Lockout(record, limits: LockoutLimits(), rules: rules)
  }

  private var lockout: Lockout { PasscodeRulesTests.lockout() }

  private static func restarted(after seconds: UInt64) -> Moment {
    Moment(boot: Moment.Boot(high: 3, low: 4), sinceBoot: 10_000, wall: Moment.start.wall + seconds)
  }

  @Test func `after a restart the passcode comes first`() {
    #expect(lockout.lock(at: PasscodeRulesTests.restarted(after: 30)) == .restart)
    #expect(PasscodeRulesTests.lockout(passcode: nil).lock(at: .start) == .restart)
  }

  @Test func `a finger that opens the vault lifts the restart, for that boot, and nothing else`() throws {
    let now = PasscodeRulesTests.restarted(after: 30)
    func rules(_ rules: inout PasscodeRules) {
      (rules.fingerAfterRestart, rules.inactivity, rules.passcodeAge) = (true, nil, nil)
    }
    let first = PasscodeRulesTests.lockout(rules)
    #expect(first.isFirstUse(at: now) && first.lock(at: now) == .restart)
    #expect(first.lock(at: now, liftingRestart: true) == .none)
    #expect(first.after(.charge, at: now) == nil)
    let charged = try #require(first.after(.charge, at: now, liftingRestart: true))
    #expect(charged.after(.match, at: now) == nil)
    let matched = try #require(charged.after(.match, at: now, liftingRestart: true))
    #expect(!matched.isFirstUse(at: now) && matched.lock(at: now.later(1)) == .none)
    let next = Moment(boot: Moment.Boot(high: 5, low: 6), sinceBoot: 10_000, wall: now.wall + 60)
    #expect(matched.lock(at: next) == .restart)

    let unasked = PasscodeRulesTests.lockout(fingerprint: now)
    #expect(unasked.isFirstUse(at: now) && unasked.lock(at: now) == .restart)
    let timed = PasscodeRulesTests.lockout { $0.fingerAfterRestart = true }
    #expect(timed.lock(at: now, liftingRestart: true) == .inactivity)
    let locked = try #require(first.after(.lock, at: now))
    #expect(locked.lock(at: now, liftingRestart: true) == .requested)
    var five = LockoutRecord()
    five.strikes = 5
    var all = PasscodeRules()
    rules(&all)
    #expect(Lockout(five, limits: LockoutLimits(), rules: all).lock(at: now, liftingRestart: true) == .strikes)
  }

  @Test func `a kernel that does not say which boot this is was restarted`() {
    let nowhere = Moment(boot: nil, sinceBoot: 60_000, wall: Moment.start.wall)
    #expect(PasscodeRulesTests.lockout(passcode: nowhere).lock(at: nowhere) == .restart)
  }

  @Test func `two days without any unlock end in the passcode`() {
    #expect(lockout.lock(at: .start.later(48 * Self.hour - 1)) == .none)
    #expect(lockout.lock(at: .start.later(48 * Self.hour)) == .inactivity)
  }

  @Test func `a fingerprint within two days is an unlock`() {
    let used = PasscodeRulesTests.lockout(fingerprint: .start.later(40 * Self.hour))
    #expect(used.lock(at: .start.later(80 * Self.hour)) == .none)
    #expect(used.lock(at: .start.later(88 * Self.hour)) == .inactivity)
  }

  @Test func `after six and a half days a fingerprint must be fresh`() {
    let last = Moment.start.later(150 * Self.hour)
    let used = PasscodeRulesTests.lockout(fingerprint: last)
    #expect(used.lock(at: .start.later(153 * Self.hour)) == .none)
    #expect(used.lock(at: .start.later(156 * Self.hour)) == .passcodeAge)
    let fresh = PasscodeRulesTests.lockout(fingerprint: .start.later(155 * Self.hour))
    #expect(fresh.lock(at: .start.later(156 * Self.hour)) == .none)
    #expect(fresh.lock(at: .start.later(159 * Self.hour)) == .passcodeAge)
  }

  @Test func `it is known when time alone will lock`() {
    for hours: UInt64 in [0, 10, 40, 47, 155] {
      let last: Moment? = hours == 0 ? nil : .start.later(hours * Self.hour)
      let lockout = PasscodeRulesTests.lockout(fingerprint: last)
      let now = last ?? .start
      guard let rest = lockout.secondsToLock(at: now) else {
        #expect(lockout.lock(at: now) != .none)
        continue
      }
      #expect(lockout.lock(at: now.later(rest - 1)) == .none && lockout.lock(at: now.later(rest)) != .none, "\(rest)")
    }
    #expect(lockout.secondsToLock(at: .start) == 48 * Self.hour)
    #expect(lockout.secondsToLock(at: .start.later(48 * Self.hour)) == nil)
    let timeless = PasscodeRulesTests.lockout { rules in (rules.inactivity, rules.passcodeAge) = (nil, nil) }
    #expect(timeless.secondsToLock(at: .start) == nil)
  }

  @Test func `a wall clock set back does not help, one set forward does not either`() {
    var back = Moment.start.later(48 * Self.hour)
    back.wall = 0
    #expect(lockout.lock(at: back) == .inactivity)
    var forward = Moment.start.later(1)
    forward.wall += 48 * Self.hour
    #expect(lockout.lock(at: forward) == .inactivity)
  }

  @Test func `a boot clock that went back, as after a restored snapshot, is no clock`() {
    var restored = Moment.start
    restored.sinceBoot -= 1
    #expect(lockout.lock(at: restored) == .inactivity)
  }

  @Test func `a moment that was ahead of a clock put back is not recent when the clock has caught up`() throws {
    var restored = Moment.start
    restored.sinceBoot -= 3600_000
    restored.wall -= 1_000_000
    let verified = try #require(
      Self.lockout(fingerprint: .start).after(.passcodeCharge(.owner), .passcodeVerified(.owner), at: restored))
    #expect(verified.lock(at: restored.later(48 * Self.hour)) == .inactivity)
  }

  @Test func `time that lies before a restart is all the time there is`() {
    let used = PasscodeRulesTests.lockout { $0.afterBoot = false }
    #expect(used.lock(at: PasscodeRulesTests.restarted(after: 30)) == .inactivity)
  }

  @Test func `each rule can be switched off by itself`() {
    let restart = PasscodeRulesTests.restarted(after: 30)
    #expect(
      PasscodeRulesTests.lockout {
        $0.afterBoot = false
        $0.inactivity = nil
        $0.passcodeAge = nil
      }.lock(at: restart) == .none)
    #expect(PasscodeRulesTests.lockout { $0.inactivity = nil }.lock(at: .start.later(50 * Self.hour)) == .none)
    #expect(PasscodeRulesTests.lockout { $0.inactivity = nil }.lock(at: .start.later(156 * Self.hour)) == .passcodeAge)
    let aged = PasscodeRulesTests.lockout(fingerprint: .start.later(150 * Self.hour)) { $0.passcodeAge = nil }
    #expect(aged.lock(at: .start.later(170 * Self.hour)) == .none)
    #expect(PasscodeRulesTests.lockout { $0.afterLock = false }.after(.lock)?.lock(at: .start) == Optional(LockReason.none))
  }

  @Test func `what is locked by time is not scanned for, and a match does not open it`() throws {
    let later = Moment.start.later(48 * Self.hour)
    #expect(lockout.after(.charge, at: later) == nil)
    let armed = try #require(lockout.after(.charge, at: .start))
    #expect(armed.after(.match, at: later) == nil)
  }
}
