import SignetBytes
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// The user key that this machine opens without the passcode: only as long as passcode and fingers are those of when it was written.
@Suite struct DeviceSlotTests {
  private let test: TestVault
  private let key: [UInt8]
  private let fingers = [UInt8](32..<64)

  init() throws {
    test = try TestVault()
    key = try test.createKey()
    try test.vault().writeDeviceSlot(userKey(key), fingers: fingers)
  }

  private func open(_ fingers: [UInt8]? = nil) throws -> [UInt8] {
    let key = try test.vault().openDeviceSlot(fingers: fingers ?? self.fingers)
    return Array(copying: key.span)
  }

  private var file: [UInt8] { get throws { try RawFile.read(test.files + "/device") } }

  @Test func `it opens as it was written`() throws { #expect(try open() == key) }

  @Test func `it does not open for another passcode, even put back`() throws {
    let older = try file
    try test.rewrap(key, "another")
    #expect(test.cause { _ = try open() } == .putBack(test.files + "/device"))
    try test.vault().writeDeviceSlot(userKey(key), fingers: fingers)
    #expect(try open() == key)
    try test.put(older, "device")
    #expect(test.cause { _ = try open() } == .putBack(test.files + "/device"))
  }

  @Test func `it does not open with an older passcode slot put back beside it`() throws {
    let (older, slot) = (try file, try RawFile.read(test.files + "/key"))
    try test.rewrap(key, "another")
    try test.put(older, "device")
    try test.put(slot, "key")
    #expect(test.cause { _ = try open() } == .putBack(test.files + "/key"))
  }

  @Test func `it does not open for other fingers`() throws {
    #expect(test.cause { _ = try open([UInt8](33..<65)) } == .putBack(test.files + "/device"))
    #expect(test.cause { _ = try open([]) } == .putBack(test.files + "/device"))
    try test.vault().renewFingerSet()
    #expect(test.cause { _ = try open() } == .putBack(test.files + "/device"))
    try test.vault().destroyFingerSet()
    #expect(test.cause { _ = try open() } == .missing(test.files + "/set"))
  }

  @Test func `it does not open after the vault was reset`() throws {
    try test.vault().reset()
    #expect(test.cause { _ = try open() } != nil)
    let other = try test.createKey("anew")
    #expect(other != key)
    #expect(test.cause { _ = try open() } == .putBack(test.files + "/device"))
  }

  @Test func `an altered, shortened or missing file opens nothing`() throws {
    let bytes = try file
    for index in bytes.indices {
      var altered = bytes
      altered[index] ^= 1
      try test.put(altered, "device")
      #expect(test.cause { _ = try open() } == .damaged(test.files + "/device"), "byte \(index)")
      try test.put(Array(bytes.prefix(index)), "device")
      #expect(test.cause { _ = try open() } == .damaged(test.files + "/device"), "\(index) bytes")
    }
    try test.vault().directory.remove("device")
    #expect(test.cause { _ = try open() } == .missing(test.files + "/device"))
  }

  @Test func `another user's file opens nothing`() throws {
    let other = try TestVault(uid: 1001, sharing: test)
    _ = try other.createKey()
    try other.put(file, "device")
    #expect(
      other.cause { _ = try other.vault().openDeviceSlot(fingers: fingers) } == .damaged(other.files + "/device"))
  }

  @Test func `a vault of whoever had the uid before opens nothing`() throws {
    let cause = test.cause { _ = try test.vault(owner: "bob").openDeviceSlot(fingers: fingers) }
    #expect(cause == .otherOwner(test.files + "/index", uid: test.uid, owner: "alice"))
  }

  /// Whether a slot opens for the fingers of now.
  private func isOpen(_ slot: DeviceSlot, _ uid: UInt32) throws -> Bool {
    switch slot.open(try test.vault().fingerSet(), uid: uid) {
    case .some: true
    case .none: false
    }
  }

  @Test func `the wrapped key is bound to its user and to the identity of the fingers`() throws {
    let set = try test.vault().fingerSet()
    let slot = try DeviceSlot.make(userKey(key), generation: 9, set, fingers: fingers, uid: test.uid)
    #expect(try isOpen(slot, test.uid))
    #expect(try !isOpen(slot, test.uid + 1))
    try test.vault().renewFingerSet()
    #expect(try !isOpen(slot, test.uid))
  }
}
