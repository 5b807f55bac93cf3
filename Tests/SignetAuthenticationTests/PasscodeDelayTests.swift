import SignetAuthentication
import Testing

/// Wrong passcodes have to wait.
@Suite struct PasscodeDelayTests {
  private let open = Lockout(.usedPasscode(at: .start), limits: LockoutLimits(), rules: PasscodeRules())

  /// After so many wrong passcodes, each as soon as it is looked at; and the moment of the last.
  private func wrong(_ count: Int) throws -> (Lockout, Moment) {
    var (lockout, now) = (open, Moment.start)
    for _ in 0..<count {
      now = now.later(lockout.passcodes(from: .owner, at: now).delay)
      lockout = try #require(lockout.after(.passcodeCharge(.owner), .passcodeWrong(.owner), at: now))
    }
    return (lockout, now)
  }

  @Test(arguments: [(4, 0), (5, 60), (6, 300), (7, 900), (8, 3600), (9, 3600), (40, 3600)])
  func `after so many wrong passcodes the next has to wait`(count: Int, seconds: UInt64) throws {
    let (lockout, now) = try wrong(count)
    #expect(lockout.passcodes(from: .owner, at: now).delay == seconds)
    if seconds > 0 { #expect(lockout.after(.passcodeCharge(.owner), at: now.later(seconds - 1)) == nil) }
    #expect(lockout.after(.passcodeCharge(.owner), at: now.later(seconds)) != nil)
  }

  @Test func `a passcode is charged before it is checked, so a killed check does not save it`() throws {
    let (four, now) = try wrong(4)
    let charged = try #require(four.after(.passcodeCharge(.owner), at: now))
    let reread = Lockout(charged.durable, limits: LockoutLimits(), rules: PasscodeRules())
    #expect(reread.passcodes(from: .owner, at: now).delay == 60)
  }

  @Test func `the waiting begins when the answer is there`() throws {
    let (four, now) = try wrong(4)
    let five = try #require(four.after(.passcodeCharge(.owner), at: now)?.after(.passcodeWrong(.owner), at: now.later(50)))
    #expect(five.passcodes(from: .owner, at: now.later(50)).delay == 60)
  }

  @Test func `one passcode at a time is checked`() throws {
    #expect(try #require(open.after(.passcodeCharge(.owner))).after(.passcodeCharge(.owner)) == nil)
  }

  @Test func `a check that could not decide costs nothing`() throws {
    let (four, now) = try wrong(4)
    #expect(try #require(four.after(.passcodeCharge(.owner), .passcodeUndecided(.owner), at: now)) == four)
  }

  @Test func `the right passcode ends all waiting`() throws {
    let (seven, now) = try wrong(7)
    let verified = try #require(seven.after(.passcodeCharge(.owner), .passcodeVerified(.owner), at: now.later(900)))
    #expect(verified.passcodes(from: .owner, at: now).delay == 0)
    #expect(verified.durable.wrongPasscodes.owner.count == 0)
  }

  @Test func `a finger that matches leaves the wrong passcodes`() throws {
    let (four, now) = try wrong(4)
    #expect(try #require(four.after(.charge, .match, at: now)).durable.wrongPasscodes.owner.count == 4)
  }

  @Test func `an outcome without a check counts for nothing`() {
    for event in [Lockout.Event.passcodeVerified(.owner), .passcodeWrong(.owner), .passcodeUndecided(.owner)] {
      #expect(open.after(event) == nil)
    }
  }

  @Test func `neither the wall clock nor a restart shortens the waiting`() throws {
    let (eight, now) = try wrong(8)
    var forward = now
    forward.wall += 1_000_000
    #expect(eight.passcodes(from: .owner, at: forward).delay == 3600)
    let restarted = Moment(boot: Moment.Boot(high: 3, low: 4), sinceBoot: 600_000, wall: now.wall + 1_000_000)
    #expect(eight.passcodes(from: .owner, at: restarted).delay == 3000)
    var restored = now
    restored.sinceBoot -= 1000
    #expect(eight.passcodes(from: .owner, at: restored).delay == 3600)
  }

  @Test func `root's reset ends the waiting, and the check under way still counts`() throws {
    let (eight, now) = try wrong(8)
    let checking = try #require(eight.after(.passcodeCharge(.owner), at: now.later(3600)))
    let reset = try #require(checking.after(.reset, at: now.later(3600)))
    #expect(reset.passcodes(from: .owner, at: now.later(3600)).delay == 0)
    #expect(try #require(reset.after(.passcodeWrong(.owner), at: now.later(3600))).durable.wrongPasscodes.owner.count == 1)
    #expect(try #require(reset.after(.passcodeVerified(.owner), at: now.later(3600))).durable.wrongPasscodes.owner.count == 0)
  }

  @Test func `without delays nothing waits`() throws {
    var rules = PasscodeRules()
    rules.delays = []
    var record = LockoutRecord.usedPasscode(at: .start)
    record.wrongPasscodes.owner = WrongPasscodes(200, latest: .start)
    #expect(Lockout(record, limits: LockoutLimits(), rules: rules).passcodes(from: .owner, at: .start).delay == 0)
  }
}
