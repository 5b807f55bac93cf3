import SignetBytes
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// Files of version 3: keys that are in the TPM.
@Suite struct KeyOfTPMTests {
  private let test: TestVault
  private let key: [UInt8]
  private let item = Item(ItemName(kind: .key, service: "s", account: ""), attributes: [4] + [UInt8](repeating: 7, count: 64))

  init() throws {
    test = try TestVault()
    key = try test.createKey()
    try test.vault().add(item, value: secret("of the TPM"), creator: "/usr/bin/one", isInTPM: true, under: userKey(key), now: 1)
  }

  @Test func `it is of version 3, also when a program is admitted, and other files stay of version 2`() throws {
    #expect(try RawFile.read(test.itemFile()).prefix(5) == Array("SGit".utf8) + [3])
    #expect(try test.vault().description(of: item.name).isInTPM)
    try test.vault().admit("/usr/bin/two", to: item.name)
    #expect(try RawFile.read(test.itemFile()).prefix(5) == Array("SGit".utf8) + [3])
    let description = try test.vault().description(of: item.name)
    #expect(description.isInTPM && description.programs.others == ["/usr/bin/two"])
    #expect(try test.read(item.name, key) == "of the TPM")
    try test.vault().delete(item.name)
    try test.vault().add(item, value: secret("a number"), under: userKey(key), now: 2)
    #expect(try RawFile.read(test.itemFile()).prefix(5) == Array("SGit".utf8) + [2])
    #expect(try !test.vault().description(of: item.name).isInTPM)
  }

  @Test(arguments: [1, 2, 4] as [UInt8]) func `of another version it is damaged, and nothing else is`(version: UInt8) throws {
    let path = try test.itemFile()
    var bytes = try RawFile.read(path)
    bytes[4] = version
    try RawFile.overwrite(path, bytes)
    let other = Item(ItemName(service: "other", account: ""))
    try test.add(other, "the value", key)
    let listing = try test.vault().list()
    #expect(listing.items.map(\.item) == [other] && listing.problems == [.damaged(path)])
    #expect(test.cause { _ = try test.read(item.name, key) } == .damaged(path))
    #expect(try test.read(other.name, key) == "the value")
    try test.vault().delete(item.name)
    #expect(try test.vault().list().problems.isEmpty)
  }

  @Test func `what is no key is not stored as one of the TPM`() throws {
    let other = Item(ItemName(service: "other", account: ""))
    #expect(
      test.cause { try test.vault().add(other, value: secret("x"), isInTPM: true, under: userKey(key), now: 1) } == .badItem)
  }
}
