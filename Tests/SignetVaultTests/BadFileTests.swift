import Glibc
import SignetSealing
import SignetTestKit
import SignetVocabulary
import SignetWords
import Testing

@testable import SignetVault

/// Nothing on disk is trusted: files may be cut off, altered, another user's or older, or be no files at all.
@Suite struct BadFileTests {
  /// A file of the vault, and the call that must notice what is wrong with it.
  enum VaultFile: String, CaseIterable, Sendable {
    case key, set, index, epoch, item

    func path(_ test: TestVault) throws -> String {
      switch self {
      case .key, .set, .index: "\(test.files)/\(rawValue)"
      case .epoch: "\(test.epochs)/\(test.uid)"
      case .item: try test.itemFile()
      }
    }

    /// What is to be done where it cannot be put back.
    var wayOut: String {
      switch self {
      case .key, .index, .epoch: "or reset the vault"
      case .set: "or enroll or delete a finger"
      case .item: "or delete or update the item"
      }
    }

    /// What is said of it; `nil` where nothing is found wrong.
    func error(_ test: TestVault) -> VaultError? {
      test.cause {
        let vault = try test.vault()
        switch self {
        case .key: _ = try test.openKey()
        case .set: _ = try vault.fingerSet()
        case .index, .epoch: _ = try vault.list()
        case .item: if let problem = try vault.list().problems.first { throw problem }
        }
      }
    }
  }

  private let test: TestVault
  private let key: [UInt8]
  private let item = Item(
    ItemName(service: "s", account: "a"), accessControl: AccessControl([.biometryCurrentSet, .devicePasscode], .or))

  init() throws {
    test = try TestVault()
    key = try test.createKey()
    try test.add(item, "value", key)
  }

  private func expectAllIsWell() throws {
    #expect(try test.openKey() == key)
    #expect(try test.read(item.name, key, proof: .fingerprint) == "value")
    #expect(try test.read(item.name, key, proof: .passcode) == "value")
    #expect(try test.vault().list().problems == [])
  }

  @Test(arguments: VaultFile.allCases) func `a file that was cut anywhere is named, and all is well when it is back`(
    file: VaultFile
  ) throws {
    let path = try file.path(test)
    let bytes = try RawFile.read(path)
    for count in bytes.indices {
      try RawFile.overwrite(path, Array(bytes[..<count]))
      let error = file.error(test)
      #expect(error?.cause == .damaged && error?.path == path, "cut to \(count) bytes")
    }
    try RawFile.overwrite(path, bytes)
    try expectAllIsWell()
  }

  @Test(arguments: VaultFile.allCases) func `a file with any bit altered is named`(file: VaultFile) throws {
    let path = try file.path(test)
    let bytes = try RawFile.read(path)
    for bit in 0..<bytes.count * 8 {
      var altered = bytes
      altered[bit / 8] ^= 1 << (bit % 8)
      try RawFile.overwrite(path, altered)
      let error = file.error(test)
      #expect(error?.cause == .damaged && error?.path == path, "bit \(bit)")
    }
    try RawFile.overwrite(path, bytes)
    try expectAllIsWell()
  }

  @Test(arguments: VaultFile.allCases, FileFault.all) func `whatever is in a file's place, it is named`(
    file: VaultFile, fault: FileFault
  ) throws {
    let path = try file.path(test)
    let bytes = try RawFile.read(path)
    try fault.inject(path)
    let error = file.error(test)
    #expect(error.map(VaultText.of)?.contains(path) == true)
    removeTree(path)
    unlink(path)
    unlink(path + ".real")
    try restore(bytes, path)
    try expectAllIsWell()
  }

  private func restore(_ bytes: [UInt8], _ path: String) throws {
    let file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0o600)
    guard file >= 0, write(file, bytes, bytes.count) == bytes.count else { throw TestKitError("\(path): \(errno)") }
    close(file)
  }

  @Test(arguments: VaultFile.allCases) func `a file that is gone is missed`(file: VaultFile) throws {
    let path = try file.path(test)
    let bytes = try RawFile.read(path)
    #expect(unlink(path) == 0)
    let error = file.error(test)
    #expect(error?.cause == .missing)
    #expect(error?.path == path)
    #expect(error.map(VaultText.of)?.contains(file.wayOut) == true)
    try restore(bytes, path)
    try expectAllIsWell()
  }

  @Test(arguments: VaultFile.allCases) func `another user's file is refused`(file: VaultFile) throws {
    let other = try TestVault(uid: 1001, sharing: test)
    let otherKey = try other.createKey()
    try other.add(item, "theirs", otherKey)
    try RawFile.overwrite(file.path(test), RawFile.read(file.path(other)))
    let error = file.error(test)
    #expect(error?.cause == .damaged)
    #expect(error.map(VaultText.of)?.contains(file.wayOut) == true)
    #expect(file.error(other) == nil)
  }

  @Test func `another user's folder is refused`() throws {
    let mine = try test.vault(uid: 1001)
    #expect(test.cause { _ = try mine.list() }?.cause == .damaged)
    #expect(test.cause { _ = try mine.fingerSet() }?.cause == .damaged)
  }

  @Test func `another machine's files are refused`() throws {
    #expect(unlink(test.folder.path + "/device.key") == 0)
    _ = try HostKeyFile(in: .init(path: test.folder.path, create: false), isNew: true)
    for file in VaultFile.allCases where file != .item { #expect(file.error(test)?.cause == .damaged) }
  }

  @Test func `another item's file is refused`() throws {
    let mine = try test.itemFile()
    let other = Item(ItemName(service: "s", account: "b"))
    try test.add(other, "other", key)
    guard let theirs = try test.names("/items").map({ "\(test.files)/items/\($0)" }).first(where: { $0 != mine }) else {
      throw TestKitError("one item only")
    }
    try RawFile.overwrite(mine, RawFile.read(theirs))
    let error = test.cause { _ = try test.read(item.name, key) }
    #expect(error?.cause == .damaged)
    #expect(error?.path == mine)
    #expect(try test.read(other.name, key) == "other")
  }

  @Test func `what is wrong is put right by the way out that is named`() throws {
    for name in ["key", "index", "set"] { unlink("\(test.files)/\(name)") }
    #expect(test.cause { _ = try test.createKey() } != nil)
    try test.vault().reset()
    let other = try test.createKey()
    try test.add(item, "value", other)
    unlink("\(test.files)/set")
    try test.vault().renewFingerSet()
    #expect(test.cause { _ = try test.read(item.name, other, proof: .fingerprint) }?.cause == .setChanged)
    try test.update(item, "value", other)
    #expect(try test.read(item.name, other, proof: .fingerprint) == "value")
    unlink("\(test.epochs)/1000")
    try test.vault().reset()
    _ = try test.createKey()
  }

  @Test func `a damaged item is updated or deleted like any other`() throws {
    try RawFile.overwrite(test.itemFile(), [1, 2, 3])
    try test.update(item, "value", key)
    try expectAllIsWell()
    try RawFile.overwrite(test.itemFile(), [])
    try test.vault().delete(item.name)
    #expect(try test.names("/items") == [])
  }
}
