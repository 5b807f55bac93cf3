import SignetAuthentication
import Testing

/// Wrong passcodes are counted where they come from, and delay nobody else.
@Suite struct PasscodeSourceTests {
  private static let open = Lockout(.usedPasscode(at: .start), limits: LockoutLimits(), rules: PasscodeRules())
  private static let others: [PasscodeSource] = [
    .owner, .seat, .remote, .stranger(.user(1001)), .stranger(.user(0)), .stranger(.unknown),
  ]

  private func delay(_ lockout: Lockout, _ source: PasscodeSource) -> UInt64 { lockout.passcodes(from: source, at: .start).delay }

  /// After a wrong passcode from each of these, none of which had to wait.
  private func wrong(_ sources: [PasscodeSource], _ lockout: Lockout = open) throws -> Lockout {
    try sources.reduce(lockout) { try #require($0.after(.passcodeCharge($1), .passcodeWrong($1))) }
  }

  @Test(arguments: others) func `five wrong ones delay their own source and no other`(source: PasscodeSource) throws {
    let five = try wrong([PasscodeSource](repeating: source, count: 5))
    for other in Self.others { #expect(delay(five, other) == (other == source ? 60 : 0)) }
    #expect(five.passcodes(from: source, at: .start) == .init(wrong: 5, delay: 60, wrongElsewhere: 0, delayElsewhere: 0))
    let elsewhere: PasscodeSource = source == .owner ? .seat : .owner
    #expect(five.passcodes(from: elsewhere, at: .start) == .init(wrong: 0, delay: 0, wrongElsewhere: 5, delayElsewhere: 60))
  }

  @Test func `many strangers do not add up: after twenty of them together each one has to wait, and nobody else`() throws {
    let twenty = try wrong((1...20).map { .stranger(.user($0)) })
    #expect(delay(twenty, .stranger(.user(21))) == 60)
    #expect(delay(twenty, .stranger(.unknown)) == 60)
    for other in [.owner, .seat, .remote] as [PasscodeSource] { #expect(delay(twenty, other) == 0) }
    #expect(twenty.after(.passcodeCharge(.stranger(.user(21)))) == nil)
    #expect(twenty.after(.passcodeCharge(.owner)) != nil)
  }

  @Test func `nineteen of them leave the twentieth free`() throws {
    #expect(delay(try wrong((1...19).map { .stranger(.user($0)) }), .stranger(.user(20))) == 0)
  }

  @Test func `the stranger who tried longest ago makes room, and the count of all goes on`() throws {
    let limit = PasscodeCountsRecord.strangerLimit
    let full = try wrong([.stranger(.user(1)), .stranger(.user(1))] + (2...UInt32(limit)).map { .stranger(.user($0)) })
    let next = try wrong([.stranger(.user(1)), .stranger(.unknown)], full)
    let record = next.durable.wrongPasscodes
    #expect(record.each.count == limit)
    let last = [(PasscodeSource.Stranger.user(1), 3), (.unknown, 1)].map {
      PasscodeCountsRecord.OfStranger($0, WrongPasscodes($1, latest: .start))
    }
    #expect(record.each.suffix(2) == last[...])
    #expect(!record.each.contains { $0.stranger == .user(2) })
    #expect(record.strangers.count == limit + 3)
  }

  @Test(arguments: others) func `a right one, from wherever, ends the waiting everywhere`(source: PasscodeSource) throws {
    let four = [PasscodeSource.owner, .seat, .remote, .stranger(.user(1001))].flatMap { [$0, $0, $0, $0] }
    let right = try #require(try wrong(four).after(.passcodeCharge(source), .passcodeVerified(source)))
    #expect(right.durable.wrongPasscodes == PasscodeCountsRecord())
  }

  @Test func `a check under way holds up no other lane, and strangers wait for one another`() throws {
    let checking = try #require(Self.open.after(.passcodeCharge(.stranger(.user(1001)))))
    #expect(checking.after(.passcodeCharge(.stranger(.user(1002)))) == nil)
    let both = try #require(checking.after(.passcodeCharge(.owner)))
    // The other's check still counts, and its outcome too.
    let right = try #require(both.after(.passcodeVerified(.owner)))
    #expect(right.passcodes(from: .stranger(.user(1001)), at: .start).wrong == 1)
    let wrong = try #require(right.after(.passcodeWrong(.stranger(.user(1001)))))
    #expect(wrong.passcodes(from: .owner, at: .start) == .init(wrong: 0, delay: 0, wrongElsewhere: 1, delayElsewhere: 0))
    #expect(right.after(.passcodeUndecided(.stranger(.user(1001))))?.durable.wrongPasscodes == PasscodeCountsRecord())
  }

  @Test func `an outcome of one source settles no other's check`() throws {
    let checking = try #require(Self.open.after(.passcodeCharge(.stranger(.user(1001)))))
    for source in Self.others where source != .stranger(.user(1001)) {
      #expect(checking.after(.passcodeVerified(source)) == nil)
      #expect(checking.after(.passcodeUndecided(source)) == nil)
    }
  }

  @Test func `who asks is known by the kernel's words, and believed in the address only if it is the system's own service`() {
    func source(_ asker: RequestOrigin, isRemote: Bool = false) -> PasscodeSource {
      PasscodeSource(of: asker, for: 1000, isRemote: isRemote)
    }
    #expect(source(RequestOrigin(uid: 1000, real: .user(1000), login: .user(1000))) == .owner)
    #expect(source(RequestOrigin(uid: 0, real: .user(1000), login: .nobody), isRemote: true) == .owner)
    // su, started by somebody else, whatever they wrote as their login; and somebody else who has become the user.
    #expect(source(RequestOrigin(uid: 0, real: .user(1001), login: .nobody), isRemote: true) == .stranger(.user(1001)))
    #expect(source(RequestOrigin(uid: 0, real: .user(1001), login: .user(1000)), isRemote: true) == .stranger(.user(1001)))
    #expect(source(RequestOrigin(uid: 1000, real: .user(1000), login: .user(1001), group: .user(1001))) == .stranger(.user(1001)))
    #expect(source(RequestOrigin(uid: 0, real: .user(0), login: .nobody, realGroup: 0)) == .seat)
    #expect(source(RequestOrigin(uid: 0, real: .user(0), login: .nobody, realGroup: 0), isRemote: true) == .remote)
    #expect(source(RequestOrigin(uid: 0, real: .user(0), login: .nobody, realGroup: 1001)) == .stranger(.unknown))
    #expect(source(RequestOrigin(uid: 0, real: .unknown, login: .unknown), isRemote: true) == .stranger(.unknown))
  }
}
