import Glibc
import SignetBytes
import SignetSealing
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

@Suite struct UserKeyTests {
  private let test: TestVault

  init() throws { test = try TestVault() }

  @Test func `the passcode opens the key that was made for it, another does not`() throws {
    let key = try test.createKey("correct horse")
    let opened = try test.openKey("correct horse")
    #expect(key == opened)
    #expect(test.cause { _ = try test.openKey("correct horsf") }?.cause == .wrongPasscode)
    #expect(test.cause { _ = try test.openKey("") }?.cause == .wrongPasscode)
  }

  @Test(arguments: [(16, 14), (128, 17), (256, 18)]) func `with the memory that signet.conf may ask for it is the same`(
    mebibytes: Int, logN: UInt8
  ) throws {
    let passcode = Array("passcode".utf8)
    let key = try test.vault().createKey(passcode: passcode.span, cost: ScryptCost(mebibytes: mebibytes))
    #expect(try test.openKey() == Array(copying: key.span))
    let slot = try test.vault().readSlot()
    #expect(slot?.cost == ScryptCost(logN: logN, r: 8, p: 1))
  }

  @Test func `there is one key a user`() throws {
    #expect(try !test.vault().hasKey())
    #expect(test.cause { _ = try test.openKey() }?.cause == .noKey)
    _ = try test.createKey()
    #expect(try test.vault().hasKey())
    #expect(test.cause { _ = try test.createKey("another") }?.cause == .keyExists)
    _ = try test.openKey()
  }

  @Test func `an empty passcode makes no key`() throws {
    #expect(test.cause { _ = try test.createKey("") }?.cause == .badItem)
    #expect(try !test.vault().hasKey())
  }

  @Test func `after a change of the passcode the new one opens what was stored, and the old one nothing`() throws {
    let key = try test.createKey("old")
    let item = Item(ItemName(service: "s", account: "a"))
    try test.add(item, "value", key)
    try test.rewrap(key, "new")
    #expect(test.cause { _ = try test.openKey("old") }?.cause == .wrongPasscode)
    let opened = try test.openKey("new")
    #expect(try test.read(item.name, opened) == "value")
  }

  @Test func `a slot from before the change of the passcode is refused when it is put back`() throws {
    let key = try test.createKey("old")
    let slot = try RawFile.read(test.files + "/key")
    try test.rewrap(key, "new")
    try RawFile.overwrite(test.files + "/key", slot)
    let error = test.cause { _ = try test.openKey("old") }
    #expect(error?.cause == .putBack)
    #expect(error?.path == test.files + "/key")
  }

  @Test func `a key that is gone is missed, and none is made in its place while items are there`() throws {
    let key = try test.createKey()
    let item = Item(ItemName(service: "s", account: "a"))
    try test.add(item, "value", key)
    #expect(unlink(test.files + "/key") == 0)
    #expect(test.cause { _ = try test.openKey() }?.cause == .missing)
    #expect(test.cause { _ = try test.createKey() }?.path == test.files + "/key")
    #expect(try test.vault().list().items.count == 1)
    try test.vault().delete(item.name)
    let other = try test.createKey()
    try test.add(item, "value", other)
    #expect(try test.read(item.name, other) == "value")
  }

  @Test func `only what is given a passcode reads the slot, so nothing else can run scrypt`() throws {
    let key = try test.createKey()
    let item = Item(ItemName(service: "s", account: "a"), accessControl: AccessControl(.biometryCurrentSet))
    #expect(unlink(test.files + "/key") == 0)
    #expect(mkfifo(test.files + "/key", 0o600) == 0)
    try test.add(item, "value", key)
    try test.update(item, "other", key)
    #expect(try test.read(item.name, key) == "other")
    #expect(try test.vault().list() != ItemListing())
    try test.vault().renewFingerSet()
    try test.vault().delete(item.name)
  }

  @Test(arguments: [
    (13, 8, 1), (21, 8, 1), (17, 0, 1), (17, 17, 1), (17, 8, 0), (17, 8, 5), (20, 8, 1), (18, 16, 1), (255, 255, 255),
  ]) func `a cost out of bounds is refused before anything is computed`(cost: (Int, Int, Int)) throws {
    let key = try test.createKey()
    let vault = try test.vault()
    guard var slot = try vault.readSlot() else { throw TestKitError("no slot") }
    slot.cost = ScryptCost(logN: UInt8(cost.0), r: UInt8(cost.1), p: UInt8(cost.2))
    try vault.write(PasscodeSlot.record, "key", in: vault.directory, slot.write)
    #expect(test.cause { _ = try test.openKey() }?.cause == .damaged)
    try test.rewrap(key, "passcode")
    _ = try test.openKey()
  }

  @Test func `a reset leaves nothing, and nothing of what was can be put back`() throws {
    let key = try test.createKey()
    let item = Item(ItemName(service: "s", account: "a"))
    try test.add(item, "value", key)
    let files = try ["key", "index", "set"].map { ($0, try RawFile.read("\(test.files)/\($0)")) }
    try test.vault().reset()
    #expect(try test.names("/items") == [])
    #expect(try test.vault().list() == ItemListing())
    for (name, bytes) in files { try test.put(bytes, name) }
    #expect(test.cause { _ = try test.read(item.name, key) }?.cause == .putBack)
    #expect(test.cause { _ = try test.vault().fingerSet() }?.cause == .putBack)
    try test.vault().reset()
    _ = try test.createKey("another")
  }

  @Test func `the vault of who had the uid before is refused`() throws {
    let key = try test.createKey()
    let item = Item(ItemName(service: "s", account: "a"))
    try test.add(item, "value", key)
    #expect(test.cause { _ = try test.vault(owner: "bob").list() }?.cause == .otherOwner)
    try test.vault(owner: "bob").reset()
    #expect(try test.vault(owner: "bob").list() == ItemListing())
  }
}
