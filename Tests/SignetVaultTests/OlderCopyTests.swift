import Glibc
import SignetFiles
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// Copies that were good once, and are put back.
@Suite struct OlderCopyTests {
  private let test: TestVault
  private let key: [UInt8]
  private let item = Item(ItemName(service: "s", account: "a"))
  private let bound = Item(ItemName(service: "bound", account: ""), accessControl: AccessControl(.biometryCurrentSet))

  init() throws {
    test = try TestVault()
    key = try test.createKey()
    try test.add(item, "first", key)
  }

  /// The user's whole folder.
  private func copy() throws -> [String: [UInt8]] {
    let names = try ["key", "set", "index"] + test.names("/items").map { "items/\($0)" }
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try RawFile.read("\(test.files)/\($0)")) })
  }

  private func putBack(_ copy: [String: [UInt8]]) throws {
    for name in try test.names("/items") { unlink("\(test.files)/items/\(name)") }
    for (name, bytes) in copy { try test.put(bytes, name) }
  }

  @Test func `an item's older value under the name of the newest is refused`() throws {
    let older = try RawFile.read(test.itemFile())
    try test.update(item, "second", key)
    try RawFile.overwrite(test.itemFile(), older)
    let error = test.cause { _ = try test.read(item.name, key) }
    #expect(error?.cause == .putBack)
    #expect(try error?.path == test.itemFile())
    #expect(try test.vault().list().problems == [error].compactMap { $0 })
  }

  @Test func `an item's older file beside the newest is not read, and goes or is named`() throws {
    let old = try (name: test.names("/items")[0], bytes: RawFile.read(test.itemFile()))
    try test.update(item, "second", key)
    try test.put(old.bytes, "items/" + old.name)
    #expect(try test.read(item.name, key) == "second")
    try test.update(item, "third", key)
    #expect(try test.names("/items").count == 1)
    try test.put(old.bytes, "items/" + old.name)
    #expect(try test.read(item.name, key) == "third")
    #expect(try test.vault().list().problems.map(\.path) == ["\(test.files)/items/\(old.name)"])
  }

  @Test func `a deleted item that is put back stays deleted, and is named`() throws {
    let old = try (name: test.names("/items")[0], bytes: RawFile.read(test.itemFile()))
    try test.vault().delete(item.name)
    try test.put(old.bytes, "items/" + old.name)
    #expect(test.cause { _ = try test.read(item.name, key) }?.cause == .notFound)
    try test.add(bound, "bound", key)
    #expect(try test.names("/items").count == 1)
    try test.put(old.bytes, "items/" + old.name)
    #expect(test.cause { _ = try test.read(item.name, key) }?.cause == .notFound)
    let problems = try test.vault().list().problems
    #expect(problems.map(\.path) == ["\(test.files)/items/\(old.name)"])
    #expect(problems.map(\.cause) == [.putBack])
    try test.add(item, "again", key)
    #expect(try test.read(item.name, key) == "again")
  }

  @Test func `an older index is refused with all items, and nothing is removed`() throws {
    let older = try RawFile.read(test.files + "/index")
    try test.add(bound, "bound", key)
    let newest = try RawFile.read(test.files + "/index")
    try test.put(older, "index")
    for body: () throws -> Void in [
      { _ = try test.vault().list() }, { _ = try test.read(item.name, key) }, { try test.add(bound, "other", key) },
      { try test.vault().delete(item.name) }, { _ = try test.createKey() },
    ] {
      let error = test.cause(body)
      #expect(error?.cause == .putBack || error?.cause == .keyExists)
    }
    #expect(try test.names("/items").count == 2)
    try test.put(newest, "index")
    #expect(try test.read(bound.name, key, proof: .fingerprint) == "bound")
  }

  @Test func `an older folder put back whole is refused`() throws {
    let older = try copy()
    try test.update(item, "second", key)
    let newest = try copy()
    try putBack(older)
    #expect(test.cause { _ = try test.read(item.name, key) }?.cause == .putBack)
    try putBack(newest)
    #expect(try test.read(item.name, key) == "second")
  }

  @Test func `an older folder put back whole does not revive a destroyed set`() throws {
    try test.add(bound, "bound", key)
    let older = try copy()
    try test.vault().renewFingerSet()
    try putBack(older)
    #expect(test.cause { _ = try test.read(bound.name, key, proof: .fingerprint) }?.cause == .setChanged)
    #expect(test.cause { _ = try test.vault().fingerSet() }?.cause == .putBack)
    #expect(try test.vault().list().items.first { $0.item == bound }?.isOfCurrentSet == false)
    #expect(try test.read(item.name, key) == "first")
    try test.vault().renewFingerSet()
    try putBack(older)
    #expect(test.cause { _ = try test.read(bound.name, key, proof: .fingerprint) }?.cause == .setChanged)
    try test.vault().renewFingerSet()
    try test.update(bound, "again", key)
    #expect(try test.read(bound.name, key, proof: .fingerprint) == "again")
  }

  @Test func `an older folder does not come back by removing its epoch`() throws {
    let older = try copy()
    try test.update(item, "second", key)
    try putBack(older)
    #expect(unlink("\(test.epochs)/1000") == 0)
    #expect(test.cause { _ = try test.read(item.name, key) }?.path == "\(test.epochs)/1000")
    #expect(test.cause { try test.vault().renewFingerSet() }?.cause == .missing)
    #expect(test.cause { _ = try test.vault().fingerSet() }?.cause == .missing)
    #expect(test.cause { _ = try test.read(item.name, key) }?.cause == .missing)
  }

  @Test func `an epoch that a crash left behind is brought up to date when the passcode is next entered`() throws {
    try test.add(bound, "bound", key)
    let (older, epoch) = (try copy(), try RawFile.read("\(test.epochs)/1000"))
    try test.update(item, "second", key)
    try test.vault().renewFingerSet()
    try test.rewrap(key, "new")
    try RawFile.overwrite("\(test.epochs)/1000", epoch)
    _ = try test.openKey("new")
    try putBack(older)
    #expect(test.cause { _ = try test.read(item.name, key) }?.cause == .putBack)
    #expect(test.cause { _ = try test.vault().fingerSet() }?.cause == .putBack)
    #expect(test.cause { _ = try test.openKey() }?.cause == .putBack)
  }
}
