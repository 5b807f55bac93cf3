import Glibc
import SignetFiles
import SignetTestKit
import SignetVocabulary
import SignetWords
import Synchronization
import Testing

@testable import SignetVault

/// A disk that is full or takes no writes, and a second writer.
@Suite(.serialized) struct DiskTests {
  private let test: TestVault
  private let item = Item(ItemName(service: "s", account: "a"))
  private static let isRoot = geteuid() == 0

  init() throws { test = try TestVault() }

  /// A small file system in memory over the user's folder.
  private final class Mount {
    let path: String

    init(over path: String, size: String) throws {
      self.path = path
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(size),mode=0700") == 0 else { throw TestKitError("mount: \(errno)") }
    }

    func setReadOnly() throws {
      guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0 else {
        throw TestKitError("remount: \(errno)")
      }
    }

    /// Another test may start a program while a file is open here. Until that program runs, it has a copy of the descriptor, and the
    /// space of a file that was removed meanwhile is not free.
    func waitForRemovedFiles() throws {
      try wait(for: "the space of removed files in \(path)") {
        let held = try Int(Program.output(["du", "-s", "-B1", path]).prefix { $0 != "\t" })
        var disk = statvfs()
        return statvfs(path, &disk) == 0 && Int((disk.f_blocks - disk.f_bfree) * disk.f_frsize) == held
      }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
  }

  @Test(.enabled(if: isRoot, "needs root, to mount a small disk")) func `on a full disk what is there stays, and can be deleted`()
    throws
  {
    let mount = try Mount(over: test.files, size: "256k")
    let key = try test.createKey()
    let value = String(repeating: "v", count: 60_000)
    var count = 0
    var error: VaultError?
    while error == nil, count < 10 {
      try mount.waitForRemovedFiles()
      error = test.cause { try test.add(Item(ItemName(service: "s", account: "\(count)")), value, key) }
      if error == nil { count += 1 }
    }
    #expect(error?.cause == .system)
    #expect(error.map(VaultText.of)?.contains(test.files) == true)
    #expect((1..<5).contains(count))
    for number in 0..<count { #expect(try test.read(ItemName(service: "s", account: "\(number)"), key) == value) }
    #expect(try test.vault().list().problems == [])
    #expect(test.cause { try test.update(Item(ItemName(service: "s", account: "0")), value + "v", key) }?.cause == .system)
    #expect(try test.read(ItemName(service: "s", account: "0"), key) == value)
    try mount.waitForRemovedFiles()
    try test.vault().delete(ItemName(service: "s", account: "0"))
    try mount.waitForRemovedFiles()
    try test.add(item, value, key)
    #expect(try test.openKey() == key)
    extendLifetime(mount)
  }

  @Test(.enabled(if: isRoot, "needs root, to mount a disk")) func `from a disk that takes no writes all can be read`() throws {
    let mount = try Mount(over: test.files, size: "256k")
    let key = try test.createKey()
    try test.add(item, "value", key)
    try mount.setReadOnly()
    #expect(try test.openKey() == key)
    #expect(try test.read(item.name, key) == "value")
    #expect(try test.vault().list().items.count == 1)
    for body: () throws -> Void in [
      { try test.update(item, "other", key) }, { try test.vault().delete(item.name) }, { try test.rewrap(key, "other") },
      { try test.vault().renewFingerSet() }, { try test.vault().reset() },
    ] {
      let error = test.cause(body)
      #expect(error?.cause == .system)
      #expect(error.map(VaultText.of)?.contains(test.files) == true)
    }
    #expect(try test.read(item.name, key) == "value")
  }

  @Test func `while one writes, another is refused and may read`() throws {
    let key = try test.createKey()
    try test.add(item, "value", key)
    let lock = try StateDirectory(path: test.files, create: false)
    try lock.lock()
    for body: () throws -> Void in [
      { try test.update(item, "other", key) }, { try test.vault().delete(item.name) }, { try test.rewrap(key, "other") },
      { try test.vault().renewFingerSet() }, { try test.vault().reset() },
    ] { #expect(test.cause(body)?.cause == .busy) }
    #expect(try test.openKey() == key)
    #expect(try test.read(item.name, key) == "value")
    extendLifetime(lock)
  }

  private final class Copies: Sendable {
    private let descriptors = Mutex<[Int32]>([])
    var count: Int { descriptors.withLock { $0.count } }
    func take(_ more: [Int32]) { descriptors.withLock { $0 += more } }
    deinit { for descriptor in descriptors.withLock({ $0 }) { close(descriptor) } }
  }

  /// A copy of every descriptor that this process has of a folder, as a program has one that is being started.
  private static func copies(of path: String) -> [Int32] {
    (Int32(0)..<1024).compactMap { descriptor in
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      let isOfFolder = count > 0 && String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
      return isOfFolder ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : nil
    }
  }

  @Test func `a program that is started while one writes keeps the next writer away no longer`() throws {
    let key = try test.createKey()
    let copies = Copies()
    test.power.watch { [files = test.files] in copies.take(DiskTests.copies(of: files)) }
    try test.add(item, "value", key)
    test.power.watch(nil)
    #expect(copies.count > 0)
    try test.update(item, "other", key)
    #expect(try test.read(item.name, key) == "other")
    extendLifetime(copies)
  }

  @Test func `two that write in turn lose nothing`() throws {
    let key = try test.createKey()
    let one = try test.vault()
    let other = try test.vault()
    for number in 0..<6 {
      let (item, value) = (Item(ItemName(service: "s", account: "\(number)")), "value \(number)")
      if number % 2 == 0 {
        try one.add(item, value: secret(value), under: userKey(key), now: 1)
      } else {
        try other.add(item, value: secret(value), under: userKey(key), now: 1)
      }
    }
    for number in 0..<6 { #expect(try test.read(ItemName(service: "s", account: "\(number)"), key) == "value \(number)") }
  }
}
