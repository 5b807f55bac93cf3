import Foundation
import SignetBytes
import SignetFiles
import SignetMemory
import SignetSealing
import SignetTestKit
import SignetVocabulary
import SignetWire

@testable import SignetVault

/// A user's vault in a scene. Tests use it through signetd, and look into its files with the device key and the passcode.
extension Scene {
  /// The vault as it lies on disk.
  func diskVault() throws -> UserVault {
    let state = daemon.stateDirectory
    return UserVault(
      directory: try StateDirectory(path: folder, create: false),
      epochs: try StateDirectory(path: state + "/epochs", create: false),
      deviceKey: try HostKeyFile(in: StateDirectory(path: state, create: false), isNew: false), uid: daemon.uid,
      owner: daemon.user)
  }

  /// Asks something of the vault.
  func ask(_ request: VaultRequest, value: [UInt8] = [], _ proving: Proving = Proving()) throws -> VaultAnswer {
    try daemon.connect().ask(request, value: value, proving)
  }

  /// The enrolled finger, when the reader is armed.
  func touch(_ finger: String = "right") -> () throws -> Void { { [reader] in try reader.scan(finger) } }

  /// How many pages of secret memory signetd has.
  func secretMappings() throws -> Int {
    try RawFile.text("/proc/\(daemon.pid)/maps").split(separator: "\n").count { $0.contains("secretmem") }
  }

  /// Five strikes.
  func strikeOut() throws {
    for (misses, reason) in [(3, PasscodeReason.misses), (2, .lockout)] {
      let client = try daemon.connect()
      try client.authenticate(daemon.user)
      try client.awaitArmed()
      for _ in 1...misses {
        try reader.scan("wrong")
        try client.awaitMiss()
      }
      guard try client.afterShowing() == .askPasscode(reason) else { throw TestKitError("not \(reason)") }
      try client.cancel()
      guard try client.afterShowing().verdict == .userCancel else { throw TestKitError("no end") }
    }
  }

  func openSession(_ token: [UInt8]) throws {
    let client = try daemon.connect()
    try client.openSession(token: token)
    guard try client.nextAdministration() == .done else { throw TestKitError("no session") }
  }

  func closeSession(_ token: [UInt8]) throws {
    let client = try daemon.connect()
    try client.closeSession(token: token)
    guard try client.nextAdministration() == .done else { throw TestKitError("no session") }
  }

  func lock() throws {
    let client = try daemon.connect()
    try client.send(.lock(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("not locked") }
  }
}

/// The secrets of a vault: its values, and every key that leads to them.
struct VaultSecrets {
  /// Each secret, with what it is called.
  private(set) var all: [(name: String, bytes: [UInt8])] = []

  /// The secrets of the scene's vault and of these items, read from the disk.
  init(_ scene: Scene, _ names: [ItemName]) throws {
    let passcode = Array(RunningDaemon.passcode.utf8)
    all.append(("the passcode", passcode))
    try addKeys(scene, passcode)
    for name in names { try addItem(scene, passcode, name) }
  }

  private mutating func addKeys(_ scene: Scene, _ passcode: [UInt8]) throws {
    let vault = try scene.diskVault()
    guard let slot = try vault.readSlot() else { throw TestKitError("no slot") }
    let scrypt = try PasscodeKey(passcode.span, slot.scryptSalt)
    let userKey = try vault.openKey(passcode: passcode.span)
    let set = try vault.fingerSet()
    add("what scrypt makes of the passcode", scrypt.key.secret.span)
    add("the user key", userKey.span)
    add("the identity of the fingers", set.identity.span)
    if let key = userKey.setWrappingKey(set) { add("the key of the fingers", key.secret.span) }
  }

  private mutating func addItem(_ scene: Scene, _ passcode: [UInt8], _ name: ItemName) throws {
    let vault = try scene.diskVault()
    guard let index = try vault.readIndex(), let entry = index[index.digest(of: name)] else { throw TestKitError("no \(name)") }
    let userKey = try vault.openKey(passcode: passcode.span)
    let path = vault.itemPath(entry)
    let file = try ItemFile(RawFile.read(path), uid: scene.daemon.uid, digest: entry.digest, under: vault.deviceKey, at: path)
    let isPlain = file.header.accessControl.hasPlainWrap
    let part: ItemHeader.Part = isPlain ? .plainWrap : .setWrap
    let wrapping = isPlain ? userKey.plainWrappingKey(entry.digest) : userKey.setWrappingKey(try vault.fingerSet())
    guard let wrapping, let key = wrapping.open(file.wrap(part).span, for: file.context(part)),
      let value = file.open(part, under: wrapping)
    else { throw TestKitError("\(name) does not open") }
    add("the wrapping key of \(name.service)", wrapping.secret.span)
    add("the key of \(name.service)", key.span)
    add("the value of \(name.service)", value.span)
  }

  private mutating func add(_ name: String, _ bytes: Span<UInt8>) { all.append((name, Array(copying: bytes))) }

  /// Which of them are found in a process's memory. Eight bytes of the beginning or the end are enough, because an algorithm may
  /// keep a key in pieces.
  func found(in holds: ([UInt8]) -> Bool) -> [String] {
    all.filter { secret in
      let ends = secret.bytes.count < 128 ? secret.bytes : Array(secret.bytes.prefix(64) + secret.bytes.suffix(64))
      let pieces =
        secret.bytes.count < 16
        ? [secret.bytes] : stride(from: 0, through: ends.count - 8, by: 8).map { Array(ends[$0..<$0 + 8]) }
      return pieces.contains(where: holds)
    }
    .map(\.name)
  }
}
