import SignetAuthentication
import Testing

@Suite struct LockoutTests {
  private let open = Lockout(.usedPasscode(at: .start), limits: LockoutLimits(), rules: PasscodeRules())

  private func missing(_ count: Int, from start: Lockout) throws -> Lockout {
    try (0..<count).reduce(start) { lockout, _ in try #require(lockout.after(.charge, .miss)) }
  }

  @Test func `the fifth miss locks the fingerprints`() throws {
    let four = try missing(4, from: open)
    #expect(four.lock(at: .start) == .none)
    let five = try missing(1, from: four)
    #expect(five.lock(at: .start) == .strikes)
    #expect(five.after(.charge) == nil)
  }

  @Test func `a charge is durable before its verdict is known`() throws {
    let charged = try #require(try missing(3, from: open).after(.charge))
    #expect(charged.durable.strikes == 4)
  }

  @Test func `a match before the fifth miss clears the count`() throws {
    let matched = try #require(try missing(4, from: open).after(.charge, .match))
    #expect(matched.durable.strikes == 0)
  }

  static let verdicts: [Lockout.Event] = [.match, .miss, .giveBack(poorScans: 0), .cancelUnseen(poorScans: 0)]

  @Test(arguments: verdicts) func `a verdict without a charge counts for nothing`(verdict: Lockout.Event) throws {
    #expect(try missing(4, from: open).after(verdict) == nil)
  }

  @Test(arguments: verdicts) func `a second verdict counts for nothing`(verdict: Lockout.Event) throws {
    let settled = try #require(open.after(.charge, .miss))
    #expect(settled.after(verdict) == nil)
  }

  @Test func `a second scan cannot be charged while one is undecided`() throws {
    #expect(try #require(open.after(.charge)).after(.charge) == nil)
  }

  @Test func `a given-back charge leaves the misses that were decided`() throws {
    let two = try missing(2, from: open)
    #expect(try #require(two.after(.charge, .giveBack(poorScans: 0))) == two)
  }

  @Test func `poor scans add up over charges that are given back, and a verdict forgets them`() throws {
    let poor = try #require(open.after(.charge, .giveBack(poorScans: 7)))
    #expect(poor.poorScans == 7)
    #expect(poor.durable.poorScans == 7)
    for verdict in [Lockout.Event.miss, .match] { #expect(try #require(poor.after(.charge, verdict)).poorScans == 0) }
  }

  @Test func `three cancels on a reader that tells of no finger cost one strike, with others between them or not`() throws {
    let two = try #require(open.after(.charge, .cancelUnseen(poorScans: 0), .charge, .cancelUnseen(poorScans: 2)))
    #expect(two.durable.strikes == 0 && two.durable.unseenCancels == 2 && two.poorScans == 2)
    let between = try #require(two.after(.charge, .giveBack(poorScans: 2)))
    #expect(between == two)
    let three = try #require(between.after(.charge, .cancelUnseen(poorScans: 2)))
    #expect(three.durable.strikes == 1 && three.durable.unseenCancels == 0)
    #expect(three.after(.cancelUnseen(poorScans: 0)) == nil)
  }

  @Test func `fifteen such cancels lock, and a match before the last forgets them`() throws {
    var lockout = open
    for number in 1...15 {
      #expect(lockout.lock(at: .start) == .none)
      if number == 15 { #expect(try #require(lockout.after(.charge, .match)).durable.unseenCancels == 0) }
      // What is read anew after a crash counts on.
      let read = Lockout(lockout.durable, limits: LockoutLimits(), rules: PasscodeRules())
      lockout = try #require(read.after(.charge, .cancelUnseen(poorScans: 0)))
    }
    #expect(lockout.lock(at: .start) == .strikes)
    #expect(lockout.durable.strikes == 5)
  }

  @Test func `a passcode clears the misses but not the charge of a scan under way`() throws {
    let charged = try #require(try missing(4, from: open).after(.charge))
    let cleared = try #require(charged.after(.passcodeCharge(.owner), .passcodeVerified(.owner)))
    #expect(cleared.durable.strikes == 1)
    #expect(try #require(cleared.after(.miss)).durable.strikes == 1)
    #expect(try #require(cleared.after(.match)).durable.strikes == 0)
  }

  @Test func `an unusable record is locked until the passcode, and is written as a locked one before`() throws {
    let unusable = Lockout.unusable(LockoutRecord(), limits: LockoutLimits(), rules: PasscodeRules())
    #expect(unusable.lock(at: .start) == .stateUnusable)
    #expect(unusable.after(.charge) == nil)
    #expect(unusable.durable.strikes == 5)
    let verified = try #require(unusable.after(.passcodeCharge(.owner), .passcodeVerified(.owner)))
    #expect(verified.lock(at: .start) == .none)
    #expect(verified.durable.strikes == 0)
  }

  @Test func `a record that is lost while a finger is waited for, and written anew, leaves that scan charged`() throws {
    var lost = try #require(open.after(.charge))
    lost.becomeUnusable()
    #expect(lost.after(.match) == nil)
    let verified = try #require(lost.after(.passcodeCharge(.owner), .passcodeVerified(.owner)))
    #expect(verified.durable.strikes == 1)
    #expect(try missing(4, from: try #require(verified.after(.miss))).lock(at: .start) == .strikes)
    let settled = try #require(lost.after(.miss)?.after(.passcodeCharge(.owner), .passcodeVerified(.owner)))
    #expect(settled.durable.strikes == 0)
  }

  @Test func `the record on disk is the whole lockout`() throws {
    let before = try #require(try missing(2, from: open).after(.lock))
    let read = Lockout(before.durable, limits: LockoutLimits(), rules: PasscodeRules())
    #expect(read == before)
  }

  @Test func `a lock on request stands until the passcode, whatever the finger says`() throws {
    let armed = try #require(open.after(.charge))
    let locked = try #require(armed.after(.lock))
    #expect(locked.lock(at: .start) == .requested)
    #expect(locked.after(.match) == nil)
    #expect(locked.after(.charge) == nil)
    #expect(try #require(locked.after(.passcodeCharge(.owner), .passcodeVerified(.owner))).lock(at: .start) == .none)
  }

  @Test func `root's reset opens the lock but is no use of the passcode`() throws {
    let five = try #require(try missing(5, from: open).after(.lock))
    #expect(try #require(five.after(.reset)).lock(at: .start) == .none)
    let never = Lockout(LockoutRecord(), limits: LockoutLimits(), rules: PasscodeRules())
    #expect(try #require(never.after(.reset)).lock(at: .start) == .restart)
  }
}

extension Moment {
  static let someBoot = Boot(high: 1, low: 2)
  static let start = Moment(boot: someBoot, sinceBoot: 7_200_000, wall: 1_800_000_000)

  /// So many seconds later, on all clocks.
  func later(_ seconds: UInt64) -> Moment {
    Moment(boot: boot, sinceBoot: sinceBoot + seconds * 1000, wall: wall + seconds)
  }
}

extension LockoutRecord {
  static func usedPasscode(at moment: Moment) -> LockoutRecord {
    var record = LockoutRecord()
    record.lastPasscode = moment
    return record
  }
}

extension Lockout {
  /// The value after these events, all at one moment; `nil` where one is not possible.
  func after(_ events: Event..., at moment: Moment = .start) -> Lockout? {
    events.reduce(Optional(self)) { lockout, event in lockout?.after(event, at: moment) }
  }
}
