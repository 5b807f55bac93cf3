import CLinux
import Glibc
import SignetFiles
import SignetMemory
import SignetTestKit
import SignetVault
import Testing

@testable import DaemonService
@testable import DaemonVaults
@testable import SignetDaemon

@Suite struct UserKeysTests {
  private let keys = UserKeys(store: DescriptorStore())

  private func key(_ byte: UInt8) throws -> UserKey {
    guard var bytes = SecretBytes(capacity: UserKey.length) else { throw TestKitError("no memory") }
    for _ in 0..<UserKey.length { _ = bytes.append(byte) }
    guard let key = UserKey(bytes) else { throw TestKitError("no key") }
    return key
  }

  private func hold(_ byte: UInt8, of uid: UInt32 = 1000, _ ticket: UserKeys.Ticket? = nil) throws -> Bool {
    let key = try key(byte)
    return keys.hold(key, of: uid, ticket ?? keys.ticket(uid), isOfSession: false)
  }

  /// The first byte of the key that is lent.
  private func lent(_ uid: UInt32 = 1000) -> UInt8? {
    keys.lend(uid) { key in
      switch key {
      case .some(let key): key.span[0]
      case .none: nil
      }
    }
  }

  @Test func `a key is lent to its user's closures until it is erased`() throws {
    #expect(lent() == nil)
    #expect(try hold(1) && hold(2, of: 1001))
    #expect(lent() == 1 && lent(1001) == 2)
    #expect(try hold(3))
    #expect(lent() == 3)
    #expect(keys.erase(1000))
    #expect(lent() == nil && lent(1001) == 2)
    #expect(!keys.erase(1000))
    keys.eraseAll()
    #expect(!keys.isHeld(1001))
  }

  @Test func `a key whose lock came while it was opened is not held`() throws {
    let ticket = keys.ticket(1000)
    keys.erase(1000)
    #expect(try !hold(1, ticket))
    #expect(lent() == nil)
    #expect(try hold(1))
  }

  @Test func `a key that is held is known until it is erased`() throws {
    #expect(!keys.isAnyHeld)
    #expect(try hold(1) && hold(2, of: 1001))
    keys.erase(1000)
    #expect(keys.isAnyHeld)
    keys.erase(1001)
    #expect(!keys.isAnyHeld)
  }

  @Test func `what is passed as a key and is none is refused`() throws {
    let file = clinux_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0)
    #expect(!adopt(file, 1000))
    let empty = clinux_secret_memory()
    guard empty >= 0 else { return }
    ftruncate(empty, 4096)
    #expect(!adopt(empty, 1000))
    #expect(!keys.isHeld(1000))
  }

  @Test func `a key that was kept is its own user's, once`() throws {
    let secret = try key(7)
    guard let memory = KeyMemory(copying: secret, uid: 1000), let raw = rawDescriptor(memory) else { return }
    #expect(!adopt(clinux_duplicate(raw, 3), 1001))
    // What was refused was wiped.
    #expect(!adopt(clinux_duplicate(raw, 3), 1000))
    extend(memory)
    guard let second = KeyMemory(copying: secret, uid: 1000), let raw = rawDescriptor(second) else { return }
    #expect(adopt(clinux_duplicate(raw, 3), 1000))
    #expect(lent() == 7)
    #expect(!adopt(clinux_duplicate(raw, 3), 1000))
    extend(second)
  }

  private func adopt(_ raw: Int32, _ uid: UInt32) -> Bool { keys.adopt(Descriptor(raw), of: uid) }

  private func rawDescriptor(_ memory: borrowing KeyMemory) -> Int32? {
    switch memory.descriptor {
    case .some(let descriptor): descriptor.raw
    case .none: nil
    }
  }

  /// Keeps it alive up to here.
  private func extend(_ memory: borrowing KeyMemory) {}

  @Test(arguments: ["vault-1000", "vault-0"]) func `names of keys are read`(name: String) {
    #expect(DescriptorStore.uid(of: name) == UInt32(name.dropFirst(6)))
  }

  @Test(arguments: ["", "vault-", "vault-01", "vault-+1", "vault--1", "vault-4294967296", "Vault-1", "signetd.socket"])
  func `other names are none`(name: String) { #expect(DescriptorStore.uid(of: name) == nil) }
}
