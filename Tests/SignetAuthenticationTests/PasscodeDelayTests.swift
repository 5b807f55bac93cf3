import SignetAuthentication
import Testing

/// Wrong passcodes have to wait.
@Suite struct PasscodeDelayTests {
  private let open = Lockout(.usedPasscode(at: .start), limits: LockoutLimits(), rules: PasscodeRules())

  /// After so many wrong passcodes, each as soon as it is looked at; and the moment of the last.
  private func wrong(_ count: Int) throws -> (Lockout, Moment) {
    var (lockout, now) = (open, Moment.start)
    for _ in 0..<count {
      now = now.later(lockout.passcodeDelay(at: now))
      lockout = try #require(lockout.after(.passcodeCharge, .passcodeWrong, at: now))
    }
    return (lockout, now)
  }

  @Test(arguments: [(4, 0), (5, 60), (6, 300), (7, 900), (8, 3600), (9, 3600), (40, 3600)])
  func `after so many wrong passcodes the next has to wait`(count: Int, seconds: UInt64) throws {
    let (lockout, now) = try wrong(count)
    #expect(lockout.passcodeDelay(at: now) == seconds)
    if seconds > 0 { #expect(lockout.after(.passcodeCharge, at: now.later(seconds - 1)) == nil) }
    #expect(lockout.after(.passcodeCharge, at: now.later(seconds)) != nil)
  }

  @Test func `a passcode is charged before it is checked, so a killed check does not save it`() throws {
    let (four, now) = try wrong(4)
    let charged = try #require(four.after(.passcodeCharge, at: now))
    let reread = Lockout(charged.durable, limits: LockoutLimits(), rules: PasscodeRules())
    #expect(reread.passcodeDelay(at: now) == 60)
  }

  @Test func `the waiting begins when the answer is there`() throws {
    let (four, now) = try wrong(4)
    let five = try #require(four.after(.passcodeCharge, at: now)?.after(.passcodeWrong, at: now.later(50)))
    #expect(five.passcodeDelay(at: now.later(50)) == 60)
  }

  @Test func `one passcode at a time is checked`() throws {
    #expect(try #require(open.after(.passcodeCharge)).after(.passcodeCharge) == nil)
  }

  @Test func `a check that could not decide costs nothing`() throws {
    let (four, now) = try wrong(4)
    #expect(try #require(four.after(.passcodeCharge, .passcodeUndecided, at: now)) == four)
  }

  @Test func `the right passcode ends all waiting`() throws {
    let (seven, now) = try wrong(7)
    let verified = try #require(seven.after(.passcodeCharge, .passcodeVerified, at: now.later(900)))
    #expect(verified.passcodeDelay(at: now) == 0)
    #expect(verified.durable.wrongPasscodes == 0)
  }

  @Test func `a finger that matches leaves the wrong passcodes`() throws {
    let (four, now) = try wrong(4)
    #expect(try #require(four.after(.charge, .match, at: now)).durable.wrongPasscodes == 4)
  }

  @Test func `an outcome without a check counts for nothing`() {
    for event in [Lockout.Event.passcodeVerified, .passcodeWrong, .passcodeUndecided] { #expect(open.after(event) == nil) }
  }

  @Test func `neither the wall clock nor a restart shortens the waiting`() throws {
    let (eight, now) = try wrong(8)
    var forward = now
    forward.wall += 1_000_000
    #expect(eight.passcodeDelay(at: forward) == 3600)
    let restarted = Moment(boot: Moment.Boot(high: 3, low: 4), sinceBoot: 600_000, wall: now.wall + 1_000_000)
    #expect(eight.passcodeDelay(at: restarted) == 3000)
    var restored = now
    restored.sinceBoot -= 1000
    #expect(eight.passcodeDelay(at: restored) == 3600)
  }

  @Test func `root's reset ends the waiting, and the check under way still counts`() throws {
    let (eight, now) = try wrong(8)
    let checking = try #require(eight.after(.passcodeCharge, at: now.later(3600)))
    let reset = try #require(checking.after(.reset, at: now.later(3600)))
    #expect(reset.passcodeDelay(at: now.later(3600)) == 0)
    #expect(try #require(reset.after(.passcodeWrong, at: now.later(3600))).durable.wrongPasscodes == 1)
    #expect(try #require(reset.after(.passcodeVerified, at: now.later(3600))).durable.wrongPasscodes == 0)
  }

  @Test func `without delays nothing waits`() throws {
    var rules = PasscodeRules()
    rules.delays = []
    var record = LockoutRecord.usedPasscode(at: .start)
    record.wrongPasscodes = 200
    record.lastWrongPasscode = .start
    #expect(Lockout(record, limits: LockoutLimits(), rules: rules).passcodeDelay(at: .start) == 0)
  }
}
