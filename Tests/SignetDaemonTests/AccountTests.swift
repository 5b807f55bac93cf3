import Glibc
import SignetAuthentication
import SignetFiles
import SignetTestKit
import Testing

@testable import SignetDaemon

@Suite struct AccountTests {
  private let folder: TemporaryFolder
  private let store: SharedStore
  private let account: Account
  private var file: String { folder.path + "/state/users/1000/strikes" }

  init() throws {
    folder = try TemporaryFolder()
    store = SharedStore(try AccountStore(path: folder.path + "/state"))
    try store.value.write(strikes: 0, of: 1000)
    account = Account(uid: 1000, store: store, limits: LockoutLimits())
  }

  private var onDisk: AccountStore.StoredStrikes { store.value.strikes(of: 1000) }

  private func miss(_ count: Int) throws {
    for _ in 0..<count {
      let strike = try account.charge()
      strike.keep()
    }
  }

  @Test func `a charge is on disk when it returns`() throws {
    let strike = try account.charge()
    #expect(onDisk == .strikes(1))
    strike.keep()
  }

  @Test func `a charged strike that is dropped stays`() throws {
    func fail() throws {
      let strike = try account.charge()
      _ = consume strike
    }
    try fail()
    #expect(account.standing.strikes == 1)
    #expect(onDisk == .strikes(1))
  }

  @Test func `a charge given back is off the disk`() throws {
    try miss(1)
    let strike = try account.charge()
    try strike.giveBack().get()
    #expect(onDisk == .strikes(1))
  }

  @Test func `a match clears the strikes after the user is told`() throws {
    try miss(4)
    let strike = try account.charge()
    var whenTold: AccountStore.StoredStrikes?
    try strike.match { whenTold = onDisk }.get()
    #expect(whenTold == .strikes(5))
    #expect(onDisk == .strikes(0))
  }

  @Test func `the sixth charge is refused as locked`() throws {
    try miss(5)
    #expect(throws: Account.ChargeRefusal.self) { try miss(1) }
    #expect(account.standing.lock == .strikes)
  }

  @Test func `an older file put back takes no strike away`() throws {
    try miss(3)
    try store.value.write(strikes: 0, of: 1000)
    #expect(account.standing.strikes == 3)
    try miss(2)
    #expect(account.isLocked)
  }

  @Test func `a removed file locks`() throws {
    #expect(unlink(file) == 0)
    #expect(account.standing.lock == .stateUnusable)
    #expect(account.standing.explanation.contains(file))
    #expect(throws: Account.ChargeRefusal.self) { try miss(1) }
  }

  @Test func `a torn file locks until the passcode writes it anew`() throws {
    #expect(truncate(file, 10) == 0)
    #expect(account.standing.lock == .stateUnusable)
    try account.clear().get()
    #expect(account.standing.lock == .none)
    #expect(onDisk == .strikes(0))
  }

  @Test func `a match counts for nothing where the state became unusable meanwhile`() throws {
    let strike = try account.charge()
    #expect(unlink(file) == 0)
    #expect(account.standing.lock == .stateUnusable)
    var isTold = false
    try strike.match { isTold = true }.get()
    #expect(!isTold)
  }

  @Test func `without a durable charge there is no scan`() throws {
    // A folder in the place of the new file: it cannot be written.
    #expect(mkdir(folder.path + "/state/users/1000/.strikes.new", 0o700) == 0)
    #expect(throws: Account.ChargeRefusal.self) { try miss(1) }
    #expect(account.standing.strikes == 0)
  }

  @Test func `a second daemon on the same state is refused`() throws {
    let first = try AccountStore(path: folder.path + "/other")
    #expect(throws: SystemError.self) { _ = try AccountStore(path: folder.path + "/other") }
    _ = try first.uids()
  }
}
