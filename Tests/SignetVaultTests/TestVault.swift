import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetSealing
import SignetTestKit
import SignetVocabulary
import Synchronization

@testable import SignetVault

/// A vault in a folder of its own, with slots that are cheap to make.
final class TestVault {
  static let cheap = ScryptCost(logN: 14, r: 1, p: 1)

  let folder: TemporaryFolder
  let uid: UInt32
  let power = Power()
  /// Where the user's files are, and where the epochs.
  var files: String { "\(folder.path)/users/\(uid)" }
  var epochs: String { "\(folder.path)/epochs" }

  /// `sharing`: the state directory of another user's vault.
  init(uid: UInt32 = 1000, sharing other: TestVault? = nil) throws {
    folder = try other?.folder ?? TemporaryFolder()
    self.uid = uid
    let root = try StateDirectory(path: folder.path, create: false)
    if other == nil { _ = try HostKeyFile(in: root, isNew: true) }
    _ = try root.directory("users", create: true).directory("\(uid)", create: true)
    _ = try root.directory("epochs", create: true)
  }

  /// The vault as a program that has just started has it.
  func vault(owner: String = "alice", uid: UInt32? = nil) throws -> UserVault {
    let root = try StateDirectory(path: folder.path, create: false)
    return UserVault(
      directory: try StateDirectory(path: files, create: false), epochs: try StateDirectory(path: epochs, create: false),
      deviceKey: try HostKeyFile(in: root, isNew: false), uid: uid ?? self.uid, owner: owner,
      beforeWriting: power.spend)
  }

  /// Keys are arrays here, which can be compared and handed to a macro.
  func createKey(_ passcode: String = "passcode") throws -> [UInt8] {
    let bytes = Array(passcode.utf8)
    let key = try vault().createKey(passcode: bytes.span, cost: TestVault.cheap)
    return Array(copying: key.span)
  }

  func openKey(_ passcode: String = "passcode") throws -> [UInt8] {
    let bytes = Array(passcode.utf8)
    let key = try vault().openKey(passcode: bytes.span)
    return Array(copying: key.span)
  }

  func rewrap(_ key: [UInt8], _ passcode: String) throws {
    let bytes = Array(passcode.utf8)
    try vault().rewrap(userKey(key), under: PasscodeKey(bytes.span, ScryptSalt(randomFor: TestVault.cheap)))
  }

  func add(_ item: Item, _ value: String, _ key: [UInt8], now: UInt64 = 1) throws {
    try vault().add(item, value: secret(value), under: userKey(key), now: now)
  }

  func update(_ item: Item, _ value: String, _ key: [UInt8], now: UInt64 = 2) throws {
    try vault().update(item, value: secret(value), under: userKey(key), now: now)
  }

  /// The value of an item; `key`: none where it is not in memory.
  func read(
    _ name: ItemName, _ key: [UInt8]?, proof: Proof = [.fingerprint, .passcode], state: KeyState = .unlocked
  ) throws -> String {
    let held: UserKey?
    if let key { held = try userKey(key) } else { held = nil }
    let value = try vault().read(name, proof: proof, state: state, userKey: held)
    return String(decoding: Array(copying: value.span), as: UTF8.self)
  }

  /// The identity of the enrolled set.
  func identity() throws -> [UInt8] {
    let set = try vault().fingerSet()
    return Array(copying: set.identity.span)
  }

  /// What a call ends in: `nil` without an error.
  func cause(_ body: () throws -> Void) -> VaultError? {
    do {
      try body()
      return nil
    } catch { return error as? VaultError ?? .system(.call(.open, "\(error)", code: 0)) }
  }

  func names(_ below: String = "") throws -> [String] {
    try StateDirectory(path: files + below, create: false).names()
  }

  /// Puts a file among the user's, where there may be none.
  func put(_ bytes: [UInt8], _ name: String) throws {
    let parts = name.split(separator: "/").map(String.init)
    let folder = parts.count > 1 ? "\(files)/\(parts[0])" : files
    try StateDirectory(path: folder, create: false).replace(parts[parts.count - 1], with: bytes)
  }

  /// The only file of an item.
  func itemFile() throws -> String {
    let names = try names("/items")
    guard names.count == 1 else { throw TestKitError("not one item: \(names)") }
    return "\(files)/items/\(names[0])"
  }
}

/// Stands between a vault and its disk. It counts writes, and after the power was cut it lets none through.
final class Power: Sendable {
  private let writes = Mutex<(made: Int, allowed: Int?)>((0, nil))
  private let watcher = Mutex<(@Sendable () -> Void)?>(nil)

  /// How many writes there were since `cut`.
  var made: Int { writes.withLock { $0.made } }

  /// Cuts the power after so many more writes; `nil`: never.
  func cut(after allowed: Int?) { writes.withLock { $0 = (0, allowed) } }

  /// Runs this at each write from now on, before it; `nil`: nothing.
  func watch(_ body: (@Sendable () -> Void)?) { watcher.withLock { $0 = body } }

  @Sendable func spend() throws(SystemError) {
    watcher.withLock { $0 }?()
    let isOn = writes.withLock { writes in
      if let allowed = writes.allowed, writes.made >= allowed { return false }
      writes.made += 1
      return true
    }
    if !isOn { throw SystemError.call(.write, "without power", code: EIO) }
  }
}

func secret(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
  guard var secret = SecretBytes(capacity: max(1, bytes.count)), secret.append(bytes.span) else {
    throw TestKitError("no memory")
  }
  return secret
}

func userKey(_ bytes: [UInt8]) throws -> UserKey {
  guard let key = UserKey(try secret(bytes)) else { throw TestKitError("no key") }
  return key
}
