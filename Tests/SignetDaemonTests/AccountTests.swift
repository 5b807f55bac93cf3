import Glibc
import SignetAuthentication
import SignetDigest
import SignetFiles
import SignetTestKit
import Synchronization
import Testing

@testable import DaemonAccounts
@testable import SignetDaemon

@Suite struct AccountTests {
  /// A clock that stands until it is moved.
  private final class ManualClock: Sendable {
    private let now = Mutex(Moment(boot: Moment.Boot(high: 1, low: 1), sinceBoot: 60_000, wall: 1_800_000_000))

    var moment: Moment { now.withLock { $0 } }

    func pass(_ seconds: UInt64) {
      now.withLock {
        $0.sinceBoot += seconds * 1000
        $0.wall += seconds
      }
    }
  }

  private let folder: TemporaryFolder
  private let store: SharedStore
  private let account: Account
  private let clock = ManualClock()
  private var file: String { folder.path + "/state/users/1000/strikes" }

  init() throws {
    folder = try TemporaryFolder()
    store = SharedStore(try AccountStore(path: folder.path + "/state", runtimePath: folder.path + "/run"))
    account = AccountTests.account(store, clock)
    try account.chargePasscode(from: .owner).expectVerified()
  }

  private static func account(_ store: SharedStore, _ clock: ManualClock) -> Account {
    Account(uid: 1000, store: store, limits: LockoutLimits(), rules: PasscodeRules(), clock: { clock.moment })
  }

  /// What another signetd, started now, makes of the files.
  private var restarted: Account { AccountTests.account(store, clock) }

  private var strikesOnDisk: Int? {
    guard case .found(let file) = store.value.lockout(of: 1000) else { return nil }
    return file.record.strikes
  }

  private func miss(_ count: Int) throws {
    for _ in 0..<count {
      let strike = try account.charge()
      strike.keep()
    }
  }

  private func contents() throws -> [UInt8] { try #require(try usersFolder().read("strikes", limit: 1024)) }

  private func usersFolder() throws -> StateDirectory {
    try StateDirectory(path: folder.path + "/state/users/1000", create: false)
  }

  @Test func `a charge is on disk when it returns`() throws {
    let strike = try account.charge()
    #expect(strikesOnDisk == 1)
    strike.keep()
  }

  @Test func `a charged strike that is dropped stays`() throws {
    func fail() throws {
      let strike = try account.charge()
      _ = consume strike
    }
    try fail()
    #expect(account.status.strikes == 1)
    #expect(strikesOnDisk == 1)
  }

  @Test func `a charge given back is off the disk`() throws {
    try miss(1)
    let strike = try account.charge()
    try strike.giveBack(poorScans: 0).get()
    #expect(strikesOnDisk == 1)
  }

  @Test func `poor scans of a charge given back are not forgotten by signetd's end, and are by a verdict`() throws {
    try account.charge().giveBack(poorScans: 9).get()
    let next = restarted
    _ = next.status
    #expect(next.poorScans == 9)
    try miss(1)
    #expect(account.poorScans == 0)
  }

  @Test func `a match clears the strikes after the user is told`() throws {
    try miss(4)
    let strike = try account.charge()
    var whenTold: Int?
    try strike.match { whenTold = strikesOnDisk }.get()
    #expect(whenTold == 5)
    #expect(strikesOnDisk == 0)
  }

  @Test func `a right passcode clears the strikes after the user is told`() throws {
    try miss(5)
    var whenTold: Int?
    let isVerified = try account.chargePasscode(from: .owner).verified { whenTold = strikesOnDisk }
    #expect(isVerified)
    #expect(whenTold == 5)
    #expect(strikesOnDisk == 0)
  }

  @Test func `the sixth charge is refused as locked`() throws {
    try miss(5)
    #expect(throws: Account.ChargeRefusal.self) { try miss(1) }
    #expect(account.status.lock == .strikes)
    #expect(restarted.status.lock == .strikes)
  }

  @Test func `an older file put back locks, under this signetd and the next`() throws {
    let old = try contents()
    try miss(3)
    try usersFolder().replace("strikes", with: old)
    #expect(account.status.lock == .stateUnusable)
    #expect(account.status.fault == .strikesOlder(file))
    #expect(restarted.status.lock == .stateUnusable)
    try account.chargePasscode(from: .owner).expectVerified()
    #expect(account.status.lock == .none)
    #expect(restarted.status.lock == .none)
  }

  @Test func `the file of today put back is the file of today`() throws {
    try miss(3)
    let today = try contents()
    #expect(unlink(file) == 0)
    #expect(account.status.lock == .stateUnusable)
    try usersFolder().replace("strikes", with: today)
    #expect(account.status.lock == .none)
    #expect(account.status.strikes == 3)
  }

  @Test func `a higher count that comes during a scan holds, and is counted once however often it is looked at`() throws {
    let strike = try account.charge()
    guard case .found(var other) = store.value.lockout(of: 1000) else { throw TestKitError("no strikes") }
    other.sequence += 1
    other.record.strikes = 3
    try store.value.write(other, of: 1000)
    for _ in 1...3 { #expect(account.status.strikes == 3) }
    strike.keep()
    #expect(account.status.strikes == 3)
    #expect(restarted.status.strikes == 3)
  }

  @Test func `a removed file locks`() throws {
    #expect(unlink(file) == 0)
    #expect(account.status.lock == .stateUnusable)
    #expect(account.status.fault == .strikesMissing(file))
    #expect(throws: Account.ChargeRefusal.self) { try miss(1) }
  }

  @Test func `a torn file locks until the passcode writes it anew`() throws {
    #expect(truncate(file, 10) == 0)
    #expect(account.status.lock == .stateUnusable)
    try account.chargePasscode(from: .owner).expectVerified()
    #expect(account.status.lock == .none)
    #expect(strikesOnDisk == 0)
  }

  @Test func `a match counts for nothing where the state became unusable meanwhile`() throws {
    let strike = try account.charge()
    #expect(unlink(file) == 0)
    #expect(account.status.lock == .stateUnusable)
    var isTold = false
    try strike.match { isTold = true }.get()
    #expect(!isTold)
  }

  @Test func `a match counts for nothing, and its strike stays, where the user locked meanwhile`() throws {
    let strike = try account.charge()
    try account.requirePasscode().get()
    var isTold = false
    try strike.match { isTold = true }.get()
    #expect(!isTold)
    #expect(strikesOnDisk == 1)
    try account.chargePasscode(from: .owner).expectVerified()
    try miss(1)
    #expect(strikesOnDisk == 1)
  }

  @Test func `a lock on request outlives signetd`() throws {
    try account.requirePasscode().get()
    #expect(restarted.status.lock == .requested)
  }

  @Test func `without a durable charge there is no scan`() throws {
    // A file of before, which was shorter, and a folder in the place of the new one: it cannot be written.
    var before = Array(try contents().dropLast(SHA256.length + 1))
    before[4] = 2
    try usersFolder().replace("strikes", with: before + SHA256.hash(before.span))
    #expect(mkdir(folder.path + "/state/users/1000/.strikes.new", 0o700) == 0)
    #expect(throws: Account.ChargeRefusal.self) { try miss(1) }
    #expect(account.status.strikes == 0)
  }

  @Test func `wrong passcodes wait, under this signetd and the next`() throws {
    for _ in 0..<5 { try account.chargePasscode(from: .owner).keep() }
    #expect(account.passcodes(from: .owner).delay == 60)
    #expect(restarted.passcodes(from: .owner).delay == 60)
    #expect(throws: Account.PasscodeRefusal.self) { try account.chargePasscode(from: .owner).keep() }
    clock.pass(60)
    try account.chargePasscode(from: .owner).keep()
    #expect(restarted.passcodes(from: .owner).delay == 300)
  }

  @Test func `a passcode check that is dropped was a wrong one`() throws {
    func fail() throws {
      let charge = try account.chargePasscode(from: .owner)
      _ = consume charge
    }
    try fail()
    #expect(account.passcodes(from: .owner).wrong == 1)
  }

  /// Whose end asks at once for the next one's charge, as whoever waited for it does.
  private final class Turn {
    private let next: () -> Void

    init(_ next: @escaping () -> Void) { self.next = next }
    deinit { next() }
  }

  private func drop(_ charge: consuming ChargedPasscode) {}

  @Test(arguments: ["right", "wrong", "undecided", "dropped"])
  func `a turn ends when its passcode is settled, so that the next one is charged`(end: String) throws {
    var hasCharged = false
    let charge = try account.chargePasscode(
      from: .owner,
      during: Turn { [account] in hasCharged = (try? account.chargePasscode(from: .owner).keep()) != nil })
    switch end {
    case "right": charge.expectVerified()
    case "wrong": charge.keep()
    case "undecided": charge.giveBack()
    default: drop(charge)
    }
    #expect(hasCharged)
  }

  @Test func `where the disk takes nothing wrong passcodes wait all the same, and fingers are locked`() throws {
    #expect(mkdir(folder.path + "/state/users/1000/.strikes.new", 0o700) == 0)
    for _ in 0..<5 { try account.chargePasscode(from: .owner).keep() }
    #expect(account.passcodes(from: .owner).delay == 60)
    #expect(restarted.passcodes(from: .owner).delay == 60)
    #expect(restarted.status.lock == .stateUnusable)
    clock.pass(60)
    try account.chargePasscode(from: .owner).expectVerified()
    #expect(restarted.passcodes(from: .owner).delay == 0)
  }

  @Test func `unusable state does not stop wrong passcodes from waiting`() throws {
    for _ in 0..<4 { try account.chargePasscode(from: .owner).keep() }
    #expect(unlink(file) == 0)
    try account.chargePasscode(from: .owner).keep()
    #expect(account.passcodes(from: .owner).delay == 60)
    #expect(restarted.passcodes(from: .owner).delay == 60)
  }

  @Test func `time alone locks`() throws {
    clock.pass(48 * 3600)
    #expect(account.status.lock == .inactivity)
    #expect(throws: Account.ChargeRefusal.self) { try miss(1) }
  }
}

private final class NobodyWaits {}

extension Account {
  fileprivate func chargePasscode(from source: PasscodeSource) throws(PasscodeRefusal) -> ChargedPasscode {
    try chargePasscode(from: source, during: NobodyWaits())
  }
}

extension ChargedPasscode {
  fileprivate consuming func expectVerified() {
    let isVerified = verified {}
    #expect(isVerified)
  }
}
