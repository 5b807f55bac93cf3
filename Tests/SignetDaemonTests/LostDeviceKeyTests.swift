import Glibc
import SignetFiles
import SignetTestKit
import SignetVocabulary
import SignetWords
import Testing

@testable import DaemonAccounts
@testable import DaemonVaults
@testable import SignetDaemon

/// A device key that is gone, damaged or another machine's: no finger can be used, no other key is put in its place, and what
/// is put back counts at once.
@Suite struct LostDeviceKeyTests {
  private let folder: TemporaryFolder
  private let sealed: EnrolledFinger
  private let whole: [UInt8]
  private var state: String { folder.path + "/state" }
  private var key: String { state + "/device.key" }

  /// One user with a finger, on a signetd that has ended.
  init() throws {
    folder = try TemporaryFolder()
    let store = try AccountStore(path: folder.path + "/state", runtimePath: folder.path + "/run")
    sealed = try LostDeviceKeyTests.enroll(1000, in: store)
    whole = try RawFile.read(folder.path + "/state/device.key")
  }

  @discardableResult
  private static func enroll(_ uid: UInt32, in store: borrowing AccountStore) throws -> EnrolledFinger {
    var finger = EnrolledFinger(
      uid: uid, owner: "alice", finger: .leftThumb, reader: "driver:0", isSwipe: true, enrolled: 1_700_000_000)
    try store.seal([1, 2, 3], in: &finger)
    try store.write(finger)
    return finger
  }

  /// A signetd that starts now.
  private func start() throws -> AccountStore { try AccountStore(path: state, runtimePath: folder.path + "/run") }

  private func putBack() throws {
    unlink(key)
    try StateDirectory(path: state, create: false).replace("device.key", with: whole)
  }

  private func isOpenable(_ store: borrowing AccountStore) throws -> Bool {
    let found = store.openable(try store.fingers(of: 1000, named: nil))
    return found.usable == [sealed] && found.unusable.isEmpty
  }

  @Test func `a missing key is named, with what it costs and the way out, and not made anew`() throws {
    unlink(key)
    let store = try start()
    let found = store.withDeviceKey(try store.fingers(of: 1000, named: nil))
    #expect(found.usable.isEmpty)
    let reason = FaultText.of(try #require(found.unusable.first))
    for words in [
      key, "is missing", "no enrolled finger and no vault can be used; passcodes can", "put it back", "delete all fingers",
    ] {
      #expect(reason.contains(words), "\(reason)")
    }
    #expect(throws: SystemError.self) { try LostDeviceKeyTests.enroll(1000, in: store) }
    #expect(access(key, F_OK) != 0)
    try putBack()
    #expect(try isOpenable(store))
  }

  @Test(arguments: FileFault.all.map(\.name)) func `a key that is not to be trusted is not used`(name: String) throws {
    let fault = try #require(FileFault.all.first { $0.name == name })
    try fault.inject(key)
    let store = try start()
    // With one byte changed these are still 32 bytes, and so a valid key: that of another machine.
    if name == "altered" {
      #expect(try !isOpenable(store))
    } else {
      let found = store.withDeviceKey(try store.fingers(of: 1000, named: nil))
      #expect(found.usable.isEmpty && found.unusable.contains { FaultText.of($0).contains(key) }, "\(found)")
    }
    if name == "a folder" { rmdir(key) }
    try putBack()
    #expect(try isOpenable(store))
  }

  @Test func `another machine's key opens nothing, and the right one is taken when it is put back`() throws {
    try StateDirectory(path: state, create: false).replace("device.key", with: [UInt8](1...32))
    let store = try start()
    #expect(try !isOpenable(store))
    #expect { try store.template(of: sealed) } throws: { error in
      (error as? SystemError)?.description.contains(key) == true
    }
    try putBack()
    #expect(try isOpenable(store))
  }

  @Test func `a key that is lost while signetd runs goes on opening, and seals nothing more`() throws {
    let store = try start()
    #expect(try isOpenable(store))
    unlink(key)
    #expect(try isOpenable(store))
    #expect(throws: SystemError.self) { try LostDeviceKeyTests.enroll(1001, in: store) }
  }

  @Test func `what is sealed after the key was replaced opens after the next start`() throws {
    do {
      let store = try start()
      #expect(try isOpenable(store))
      try StateDirectory(path: state, create: false).replace("device.key", with: [UInt8](1...32))
      try LostDeviceKeyTests.enroll(1001, in: store)
    }
    let store = try start()
    #expect(try store.openable(store.fingers(of: 1001, named: nil)).usable.count == 1)
  }

  @Test func `once every finger of every user is deleted there is a new key`() throws {
    do { try LostDeviceKeyTests.enroll(1001, in: start()) }
    unlink(key)
    let store = try start()
    try store.remove(sealed)
    #expect(throws: SystemError.self) { try LostDeviceKeyTests.enroll(1000, in: store) }
    for finger in try store.fingers(of: 1001, named: nil).usable { try store.remove(finger) }
    try LostDeviceKeyTests.enroll(1000, in: store)
    #expect(try RawFile.read(key).count == 32)
    #expect(try RawFile.read(key) != whole)
  }

  @Test func `strikes and a history alone need no key`() throws {
    let store = try start()
    try store.remove(sealed)
    let user = try StateDirectory(path: "\(state)/users/1000", create: false)
    for name in ["strikes", "history", "history.1"] { try user.replace(name, with: [0]) }
    unlink(key)
    _ = try store.readDeviceKey()
    unlink(key)
    // A vault that was reset without its key leaves nothing that was sealed.
    for name in ["key", "set", "index"] { try user.replace(name, with: [0]) }
    try user.directory("items", create: true).replace("00.1", with: [0])
    #expect(throws: SystemError.self) { try store.readDeviceKey() }
    try store.removeVault(of: 1000)
    _ = try store.readDeviceKey()
    unlink(key)
    // Whatever else is there may be sealed.
    try user.replace("index", with: [0])
    #expect(throws: SystemError.self) { try store.readDeviceKey() }
  }
}
