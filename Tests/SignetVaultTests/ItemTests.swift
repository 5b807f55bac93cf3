import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

@Suite struct ItemTests {
  private let test: TestVault
  private let key: [UInt8]
  private let item = Item(
    ItemName(service: "mail.example.org", account: "alice"), label: "Mail", comment: "the old server",
    accessControl: AccessControl(.userPresence), accessibility: .afterFirstUnlock)

  init() throws {
    test = try TestVault()
    key = try test.createKey()
  }

  @Test func `an added item is listed with all that was said of it, and read`() throws {
    try test.add(item, "value", key, now: 1_800_000_000)
    let description = ItemDescription(item: item, created: 1_800_000_000, modified: 1_800_000_000, isOfCurrentSet: true)
    #expect(try test.vault().list() == ItemListing(items: [description]))
    #expect(try test.vault().description(of: item.name) == description)
    #expect(try test.read(item.name, key) == "value")
  }

  @Test func `an item is added once, and updated only where it is`() throws {
    #expect(test.cause { try test.update(item, "value", key) }?.cause == .notFound)
    try test.add(item, "value", key)
    #expect(test.cause { try test.add(item, "other", key) }?.cause == .duplicate)
    #expect(try test.read(item.name, key) == "value")
  }

  @Test func `an update replaces value, texts and terms, and keeps when the item was created`() throws {
    try test.add(item, "value", key, now: 10)
    var changed = item
    (changed.label, changed.accessControl, changed.accessibility) = ("New", AccessControl(.devicePasscode), .whenUnlocked)
    try test.update(changed, "longer value", key, now: 20)
    #expect(
      try test.vault().list().items == [ItemDescription(item: changed, created: 10, modified: 20, isOfCurrentSet: true)])
    #expect(try test.read(item.name, key, proof: .passcode) == "longer value")
    #expect(test.cause { _ = try test.read(item.name, key, proof: .fingerprint) }?.cause == .proofMissing)
    #expect(try test.names("/items").count == 1)
  }

  @Test func `service and account together name an item`() throws {
    let names = [("a", "bc"), ("ab", "c"), ("abc", ""), ("a", "b")].map { ItemName(service: $0.0, account: $0.1) }
    for name in names { try test.add(Item(name), "\(name.service)/\(name.account)", key) }
    for name in names { #expect(try test.read(name, key) == "\(name.service)/\(name.account)") }
    #expect(try test.vault().list().items.count == names.count)
  }

  @Test func `a deleted item is gone, the others are not`() throws {
    let other = Item(ItemName(service: "other", account: ""))
    try test.add(item, "value", key)
    try test.add(other, "kept", key)
    try test.vault().delete(item.name)
    #expect(test.cause { try test.vault().delete(item.name) }?.cause == .notFound)
    #expect(test.cause { _ = try test.read(item.name, key) }?.cause == .notFound)
    #expect(try test.read(other.name, key) == "kept")
    #expect(try test.names("/items").count == 1)
    try test.add(item, "again", key)
    #expect(try test.read(item.name, key) == "again")
  }

  @Test func `a key has a public point, is not replaced, and is nobody's once the uid is somebody else's`() throws {
    let name = ItemName(kind: .key, service: "git.example.org", account: "alice")
    let stored = Item(name, attributes: [4] + [UInt8](repeating: 7, count: 64))
    for attributes in [[], [4], stored.attributes + [0]] {
      #expect(test.cause { try test.add(Item(name, attributes: attributes), "value", key) }?.cause == .badItem)
    }
    try test.add(stored, "value", key)
    #expect(try test.vault().list().items.map(\.item) == [stored])
    #expect(test.cause { try test.update(stored, "other", key) }?.cause == .badItem)
    try test.add(Item(ItemName(service: name.service, account: name.account)), "an item", key)
    #expect(try test.read(name, key) == "value")
    #expect(test.cause { _ = try test.vault(owner: "bob").locate(name) }?.cause == .otherOwner)
    try test.vault(owner: "bob").reset()
    #expect(test.cause { _ = try test.vault(owner: "bob").locate(name) }?.cause == .notFound)
  }

  @Test func `the login secret is one of its own, for the fingers of now`() throws {
    try test.add(.loginSecret, "secret", key)
    #expect(test.cause { try test.add(.loginSecret, "secret", key) }?.cause == .duplicate)
    #expect(try test.vault().list().items.map(\.item) == [.loginSecret])
    #expect(try test.read(.loginSecret, key, proof: .fingerprint) == "secret")
    #expect(test.cause { _ = try test.read(.loginSecret, key, proof: .passcode) }?.cause == .proofMissing)
    #expect(test.cause { _ = try test.read(ItemName(service: "", account: ""), key) }?.cause == .notFound)
    var weaker = Item.loginSecret
    weaker.accessControl = AccessControl()
    #expect(test.cause { try test.update(weaker, "secret", key) }?.cause == .badItem)
    try test.vault().renewFingerSet()
    #expect(try test.vault().list().items.map(\.isOfCurrentSet) == [false])
    #expect(test.cause { _ = try test.read(.loginSecret, key, proof: .fingerprint) }?.cause == .setChanged)
    try test.update(.loginSecret, "new secret", key)
    #expect(try test.read(.loginSecret, key, proof: .fingerprint) == "new secret")
  }

  @Test func `what is for accounts with a passcode goes with the passcode`() throws {
    try test.add(item, "value", key)
    try test.add(.loginSecret, "secret", key)
    try test.vault().removeItems(.whenPasscodeSet)
    #expect(try test.vault().list().items.map(\.item) == [item])
  }

  @Test func `an item that is too long is refused`() throws {
    let long = String(repeating: "x", count: 257)
    let names = [(long, ""), ("s", long)].map { ItemName(service: $0.0, account: $0.1) }
    for name in names {
      #expect(test.cause { try test.add(Item(name), "value", key) }?.cause == .badItem)
    }
    var wordy = item
    wordy.comment = String(repeating: "x", count: 1025)
    #expect(test.cause { try test.add(wordy, "value", key) }?.cause == .badItem)
    #expect(test.cause { try test.add(item, String(repeating: "x", count: 65_537), key) }?.cause == .badItem)
    var unknown = item
    unknown.accessControl = AccessControl(AccessControl.Constraints(rawValue: 16))
    #expect(test.cause { try test.add(unknown, "value", key) }?.cause == .badItem)
    #expect(try test.vault().list() == ItemListing())
  }

  @Test func `the longest and the shortest fit`() throws {
    let text = String(repeating: "x", count: 1024)
    let name = ItemName(service: String(text.prefix(256)), account: String(text.prefix(256)))
    let largest = Item(
      name, label: text, comment: text, accessControl: AccessControl([.biometryCurrentSet, .devicePasscode], .or))
    let value = String(repeating: "v", count: 65_536)
    try test.add(largest, value, key)
    #expect(try test.read(name, key) == value)
    #expect(try test.vault().list().items.map(\.item) == [largest])
    let smallest = Item(ItemName(service: "x", account: ""))
    try test.add(smallest, "", key)
    #expect(try test.read(smallest.name, key) == "")
  }

  @Test func `1,024 items are all, and the login secret is one more`() throws {
    let vault = try test.vault()
    guard var index = try vault.readIndex() else { throw TestKitError("no index") }
    index.entries = (1...UInt64(ItemLimit.items)).map {
      ItemIndex.Entry(digest: ItemDigest([UInt8](repeating: 0, count: 14) + [UInt8($0 >> 8), UInt8($0 & 255)]), sequence: 1)
    }
    try vault.write(index)
    let error = test.cause { try test.add(item, "value", key) }
    #expect(error?.cause == .full)
    try test.add(.loginSecret, "secret", key)
    #expect(try test.read(.loginSecret, key, proof: .fingerprint) == "secret")
    #expect(try test.vault().list().problems.count == ItemLimit.items)
    #expect(test.cause { try test.add(item, "value", key) }?.cause == .full)
  }

  @Test func `under another user key nothing opens, and the item is named`() throws {
    try test.add(item, "value", key)
    let error = test.cause { _ = try test.read(item.name, [UInt8](repeating: 1, count: 32)) }
    #expect(error?.cause == .otherKey)
    #expect(try error?.path == test.itemFile())
  }

  @Test func `neither names nor values are in any file, nor in a file's name`() throws {
    try test.add(item, "the value itself", key)
    try test.add(.loginSecret, "the secret itself", key)
    let files = try test.names("/items").map { "\(test.files)/items/\($0)" }
    let all = try (files + ["index", "key", "set"].map { "\(test.files)/\($0)" } + ["\(test.epochs)/1000"])
      .map { $0 + String(decoding: try RawFile.read($0), as: Unicode.ASCII.self) }
    for word in ["mail.example.org", "alice", "Mail", "the old server", "itself", "passcode", "Login secret"] {
      #expect(!all.contains { $0.contains(word) }, "\(word)")
    }
  }
}
