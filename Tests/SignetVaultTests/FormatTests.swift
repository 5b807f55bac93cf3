import Foundation
import SignetBytes
import SignetFiles
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// FORMAT.md says what the code does: its vectors open.
@Suite struct FormatTests {
  private static let text: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try! String(contentsOf: root.appending(path: "Sources/rules/SignetVault/FORMAT.md"), encoding: .utf8)
  }()

  /// The vectors by name: four blanks and the name, then six blanks and hexadecimal digits.
  private static let vectors: [String: [UInt8]] = {
    var vectors: [String: [UInt8]] = [:]
    var name = ""
    for line in text.components(separatedBy: "## Test vectors")[1].components(separatedBy: "\n") {
      let word = line.trimmingCharacters(in: .whitespaces)
      switch line.prefix(while: { $0 == " " }).count {
      case 4: name = word
      case 6: vectors[name, default: []] += bytes(word)
      default: continue
      }
    }
    return vectors
  }()

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! }
  }

  private func vector(_ name: String) throws -> [UInt8] {
    guard let vector = Self.vectors[name] else { throw TestKitError("FORMAT.md has no vector named \(name)") }
    return vector
  }

  /// The vault of the vectors.
  private func vault() throws -> TestVault {
    let test = try TestVault()
    try RawFile.overwrite(test.folder.path + "/device.key", [UInt8](0..<32))
    _ = try StateDirectory(path: test.files, create: false).directory("items", create: true)
    for name in ["key", "set", "index"] { try test.put(vector(name), name) }
    guard let item = Self.vectors.keys.first(where: { $0.hasPrefix("items/") }) else { throw TestKitError("no item") }
    try test.put(vector(item), item)
    try StateDirectory(path: test.epochs, create: false).replace("1000", with: vector("epochs/1000"))
    return test
  }

  @Test(arguments: [1, 2]) func `the vault of the vectors opens`(version: Int) throws {
    let test = try vault()
    if version == 1 {
      try RawFile.overwrite(test.itemFile(), vector("the same of version 1, without attributes and programs"))
    }
    let key = try test.openKey("correct horse")
    #expect(try key == vector("user key"))
    #expect(try test.identity() == vector("identity"))
    var item = Item(
      ItemName(service: "mail.example.org", account: "alice"), label: "Mail", comment: "the old server",
      accessControl: AccessControl([.biometryCurrentSet, .devicePasscode], .or), accessibility: .whenUnlocked,
      attributes: Array("crtr".utf8) + [3, 8, 0, 42, 0, 0, 0, 0, 0, 0, 0])
    var description = ItemDescription(
      item: item, created: 1_800_000_000, modified: 1_800_000_060, isOfCurrentSet: true,
      programs: ItemPrograms(creator: "/usr/bin/mail", others: ["flatpak:org.example.Mail"]))
    if version == 1 {
      item.attributes = []
      (description.item, description.programs) = (item, ItemPrograms())
    }
    #expect(try test.vault().list() == ItemListing(items: [description]))
    #expect(try test.read(item.name, key, proof: .fingerprint) == "the secret")
    #expect(try test.read(item.name, key, proof: .passcode) == "the secret")
    // It goes on from there.
    try test.vault().admit("/usr/bin/other", to: item.name)
    #expect(try test.vault().description(of: item.name).programs.others.last == "/usr/bin/other")
    #expect(try test.read(item.name, key, proof: .passcode) == "the secret")
    try test.update(item, "another", key)
    #expect(try test.read(item.name, key, proof: .fingerprint) == "another")
  }

  /// The key of the vectors that is in the TPM.
  private static let keyOfTPM = Item(
    ItemName(kind: .key, service: "git.example.org", account: "alice"), label: "Key", accessControl: AccessControl(.biometryAny),
    attributes: [4] + [UInt8](1...64))

  @Test func `the vault of the vectors opens with a key of the TPM beside the item`() throws {
    let test = try vault()
    let (index, epoch, file) = ("the index with it", "epochs/1000 with it", "of a key of the TPM, items/")
    let name = try #require(Self.vectors.keys.first { $0.hasPrefix(file) })
    try test.put(vector(name), String(name.dropFirst(file.count - "items/".count)))
    try test.put(vector(index), "index")
    try StateDirectory(path: test.epochs, create: false).replace("1000", with: vector(epoch))
    let key = try test.openKey("correct horse")
    let listing = try test.vault().list()
    let description = ItemDescription(
      item: Self.keyOfTPM, created: 1_800_000_120, modified: 1_800_000_120, isOfCurrentSet: true,
      programs: ItemPrograms(creator: "/usr/bin/signet"), isInTPM: true)
    #expect(listing.problems.isEmpty && listing.items.count == 2 && listing.items.contains(description), "\(listing)")
    #expect(try vector(name)[4] == 3 && test.read(Self.keyOfTPM.name, key, proof: .fingerprint) == "what the TPM made")
  }

  @Test func `the device slot of the vectors opens`() throws {
    let test = try vault()
    try test.put(vector("device"), "device")
    let key = try test.vault().openDeviceSlot(fingers: [UInt8](32..<64))
    let bytes = Array(copying: key.span)
    #expect(try bytes == vector("user key"))
  }

  @Test func `the files of the vectors are as long as those that are written`() throws {
    let test = try TestVault()
    let key = try test.createKey()
    let original = try vault()
    let item = try #require(try original.vault().list().items.first).item
    let programs = try #require(original.vault().list().items.first).programs
    try test.vault().add(item, value: secret("a secret"), creator: programs.creator, under: userKey(key), now: 1)
    try test.vault().update(item, value: secret("the secret"), admitting: programs.others[0], under: userKey(key), now: 2)
    for name in ["key", "set", "index"] { #expect(try RawFile.read("\(test.files)/\(name)").count == vector(name).count) }
    #expect(try RawFile.read("\(test.epochs)/1000").count == vector("epochs/1000").count)
    let path = try test.itemFile()
    let other = try #require(Self.vectors.first { $0.key.hasPrefix("items/") })
    #expect(try RawFile.read(path).count == other.value.count)
    #expect(path.hasSuffix(".3") && other.key.hasSuffix(".3"))
  }

  @Test func `every purpose is in the specification`() {
    for purpose in ["SGep", "SGfs", "SGuk", "SGpc", "SGix", "SGit", "SGds", "SGdw"] { #expect(Self.text.contains(purpose)) }
  }

  @Test func `every limit is the specification's`() {
    let commas = { (number: Int) in number < 1000 ? "\(number)" : "\(number / 1000),\(String("00\(number % 1000)".suffix(3)))" }
    #expect(Self.text.contains("value 0 to \(commas(ItemLimit.value)) bytes"))
    #expect(Self.text.contains("count u16 (to \(commas(ItemLimit.items + 1)))"))
    #expect(Self.text.contains("comment text (to \(commas(ItemLimit.text)))"))
    #expect(Self.text.contains("owner text (to \(ItemIndex.ownerLimit) bytes)"))
    #expect(Self.text.contains("It is written with N = 2^\(ScryptCost(mebibytes: 128).logN), r = 8, p = 1"))
  }
}
