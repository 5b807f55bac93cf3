import Glibc
import SignetBytes
import SignetFiles
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// Which programs an item remembers.
@Suite struct ProgramsTests {
  private let test: TestVault
  private let key: [UInt8]
  private let item = Item(ItemName(service: "s", account: "a"), attributes: [1, 2, 3])
  private let bound = Item(
    ItemName(service: "bound", account: ""),
    accessControl: AccessControl([.biometryCurrentSet, .devicePasscode], .or))

  init() throws {
    test = try TestVault()
    key = try test.createKey()
  }

  private func add(_ item: Item, by program: String = "/usr/bin/one") throws {
    try test.vault().add(item, value: secret("the value"), creator: program, under: userKey(key), now: 1)
  }

  private func programs(of name: ItemName? = nil) throws -> ItemPrograms {
    try test.vault().description(of: name ?? item.name).programs
  }

  @Test func `an item remembers who stored it, and what the clients know of it, however often it is replaced`() throws {
    try add(item)
    #expect(try programs() == ItemPrograms(creator: "/usr/bin/one"))
    #expect(try test.vault().description(of: item.name).item == item)
    try test.vault().update(item, value: secret("another"), admitting: "/usr/bin/two", under: userKey(key), now: 2)
    try test.vault().update(item, value: secret("a third"), admitting: "", under: userKey(key), now: 3)
    #expect(try programs() == ItemPrograms(creator: "/usr/bin/one", others: ["/usr/bin/two"]))
    #expect(try test.read(item.name, key) == "a third")
  }

  @Test func `a program is admitted and revoked without the user key, and all else stays`() throws {
    for one in [item, bound] {
      try add(one)
      let before = try test.vault().description(of: one.name)
      try test.vault().admit("/usr/bin/two", to: one.name)
      try test.vault().admit("/usr/bin/two", to: one.name)
      try test.vault().admit("/usr/bin/one", to: one.name)
      #expect(try programs(of: one.name).others == ["/usr/bin/two"])
      for proof in [Proof.fingerprint, .passcode] { #expect(try test.read(one.name, key, proof: proof) == "the value") }
      try test.vault().revokePrograms(of: one.name)
      #expect(try test.vault().description(of: one.name) == before)
      for proof in [Proof.fingerprint, .passcode] { #expect(try test.read(one.name, key, proof: proof) == "the value") }
    }
    #expect(try test.names("/items").count == 2)
  }

  @Test func `admitting a program brings nothing back that was for other fingers`() throws {
    try add(bound)
    try test.vault().renewFingerSet()
    try test.vault().admit("/usr/bin/two", to: bound.name)
    #expect(try !test.vault().description(of: bound.name).isOfCurrentSet)
    #expect(test.cause { _ = try test.read(bound.name, key, proof: .fingerprint) }?.cause == .setChanged)
    #expect(try test.read(bound.name, key, proof: .passcode) == "the value")
  }

  @Test func `there are at most eight others, and the first has to go`() throws {
    try add(item)
    for number in 1...9 { try test.vault().admit("/usr/bin/\(number)", to: item.name) }
    #expect(try programs().others == (2...9).map { "/usr/bin/\($0)" })
  }

  @Test func `an older file, with programs that were revoked, is refused`() throws {
    try add(item)
    try test.vault().admit("/usr/bin/two", to: item.name)
    let older = try RawFile.read(test.itemFile())
    try test.vault().revokePrograms(of: item.name)
    try RawFile.overwrite(test.itemFile(), older)
    #expect(test.cause { _ = try test.vault().description(of: item.name) }?.cause == .putBack)
  }

  @Test func `names that only look the same are different programs`() {
    let programs = ItemPrograms(creator: "/home/caf\u{E9}", others: ["/opt/caf\u{E9}"])
    #expect(programs.isCreator("/home/caf\u{E9}") && !programs.isCreator("/home/cafe\u{301}"))
    #expect(programs.includes("/opt/caf\u{E9}") && !programs.includes("/opt/cafe\u{301}"))
    #expect(!ItemPrograms().isCreator("") && !ItemPrograms().includes(""))
  }

  @Test func `the longest item with the longest programs is stored, and one byte more is not`() throws {
    let text = { (count: Int) in String(repeating: "x", count: count) }
    var longest = Item(
      ItemName(service: text(256), account: text(256)), label: text(1024), comment: text(1024),
      attributes: [UInt8](repeating: 1, count: 1024))
    try add(longest, by: text(256))
    for number in 1...8 { try test.vault().admit(text(255) + "\(number)", to: longest.name) }
    #expect(try test.vault().description(of: longest.name).programs.others.count == 8)
    #expect(try test.read(longest.name, key) == "the value")
    #expect(test.cause { try test.vault().admit(text(257), to: longest.name) } != nil)
    longest.attributes.append(1)
    #expect(test.cause { try add(longest) }?.cause == .badItem)
  }
}

/// What readers keep of a vault's files.
@Suite struct VaultCacheTests {
  private let test: TestVault
  private let key: [UInt8]
  private let cache = VaultCache(youth: -1)
  private let item = Item(ItemName(service: "s", account: "a"))

  init() throws {
    test = try TestVault()
    key = try test.createKey()
    try test.add(item, "first", key)
  }

  private func vault() throws -> UserVault {
    UserVault(
      directory: try StateDirectory(path: test.files, create: false),
      epochs: try StateDirectory(path: test.epochs, create: false), deviceKey: try test.vault().deviceKey, uid: test.uid,
      owner: "alice", cache: cache)
  }

  private func read() throws -> String {
    let value = try vault().read(item.name, proof: [], state: .unlocked, userKey: userKey(key))
    return String(decoding: Array(copying: value.span), as: UTF8.self)
  }

  private func stamp(_ name: String) throws -> FileStamp {
    try #require(try StateDirectory(path: test.files, create: false).stamp(name))
  }

  @Test func `what was read is kept`() throws {
    #expect(try read() == "first")
    #expect(try cache.value(\.index, stamp("index"))?.entries.count == 1)
    let entry = try #require(try vault().readIndex()?.entries.first)
    #expect(try cache.item(entry, stamp("items/\(entry.fileName)"))?.attributes.name == item.name)
    #expect(try read() == "first")
  }

  @Test(arguments: ["index", "item", "epoch"]) func `a file that was altered is noticed at once`(which: String) throws {
    #expect(try read() == "first")
    let path = try ["index": test.files + "/index", "epoch": "\(test.epochs)/\(test.uid)"][which] ?? test.itemFile()
    var bytes = try RawFile.read(path)
    bytes[bytes.count - 1] ^= 1
    try RawFile.overwrite(path, bytes)
    #expect(test.cause { _ = try read() }?.cause == .damaged)
    bytes[bytes.count - 1] ^= 1
    try RawFile.overwrite(path, bytes)
    #expect(try read() == "first")
    unlink(path)
    #expect(test.cause { _ = try read() }?.cause == .missing)
  }

  @Test func `an older copy that is put back is refused`() throws {
    let older = try RawFile.read(test.files + "/index")
    try vault().update(item, value: secret("second"), under: userKey(key), now: 2)
    #expect(try read() == "second")
    try test.put(older, "index")
    #expect(test.cause { _ = try read() }?.cause == .putBack)
  }

  @Test func `after a write nothing older is kept, whoever is still reading`() throws {
    let changes = cache.changes
    let index = try #require(try vault().readIndex())
    let stamp = try stamp("index")
    cache.forget()
    cache.keep(index, stamp, in: \.index, changes)
    #expect(cache.value(\.index, stamp) == nil)
    for number in 0..<20 {
      try vault().update(item, value: secret("\(number)"), under: userKey(key), now: 2)
      #expect(try read() == "\(number)")
    }
  }

  @Test func `a file that is younger than a tick of the clock is not kept`() throws {
    let young = VaultCache(youth: 3_600_000)
    let stamp = try stamp("index")
    young.keep(try #require(try vault().readIndex()), stamp, in: \.index, young.changes)
    #expect(young.value(\.index, stamp) == nil)
  }
}
