import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// The user key, wrapped for this machine: what lets the first finger after a restart open the vault, where the TPM alone has the
/// device key. It is bound to the passcode and the fingers that were there when the passcode was verified.
struct DeviceSlot: Equatable, Sendable {
  static let name = "device"
  static let fingersLength = 32

  /// Of the passcode slot: a changed passcode makes this one useless.
  let generation: UInt64
  /// Of the finger set.
  let set: UInt64
  /// What stands for the enrolled templates.
  let fingers: [UInt8]
  private(set) var wrapped: [UInt8] = []

  /// Wraps a key.
  static func make(
    _ key: borrowing UserKey, generation: UInt64, _ set: borrowing FingerSet, fingers: [UInt8], uid: UInt32
  ) throws(VaultError) -> DeviceSlot {
    guard fingers.count == fingersLength else { throw .badItem }
    var slot = DeviceSlot(generation: generation, set: set.generation, fingers: fingers)
    guard let wrapping = set.deviceWrappingKey, let wrapped = wrapping.seal(key.span, for: slot.context(uid)) else {
      throw .exhausted
    }
    slot.wrapped = wrapped
    return slot
  }

  /// Unwraps the key; `nil` where it is of other fingers.
  func open(_ set: borrowing FingerSet, uid: UInt32) -> UserKey? {
    guard let secret = set.deviceWrappingKey?.open(wrapped.span, for: context(uid)) else { return nil }
    return UserKey(secret)
  }

  /// What is beside the wrapped key cannot be exchanged either.
  private func context(_ uid: UInt32) -> SealContext {
    let numbers = Array(littleEndian: generation, size: 8) + Array(littleEndian: set, size: 8)
    return SealContext("SGdw", uid: uid, name: numbers + fingers)
  }
}

extension DeviceSlot {
  static let record = SealedRecord("SGds", limit: 256)

  func write(_ fields: inout SecretBytes) throws(FormatError) {
    try fields.put(generation, size: 8)
    try fields.put(set, size: 8)
    try fields.put(raw: fingers.span)
    try fields.put(raw: wrapped.span)
  }

  static func read(_ fields: inout ByteReader) throws(FormatError) -> DeviceSlot {
    var slot = DeviceSlot(
      generation: try fields.uint64(), set: try fields.uint64(), fingers: Array(copying: try fields.bytes(fingersLength)))
    slot.wrapped = Array(copying: try fields.bytes(PasscodeSlot.wrappedLength))
    return slot
  }
}

extension FingerSet {
  /// From the identity, which is destroyed with the next change of the fingers, and the slot with it.
  var deviceWrappingKey: SealingKey? {
    guard var copy = SecretBytes(capacity: FingerSet.identityLength), copy.append(identity.span), let key = SealingKey(copy)
    else { return nil }
    let nothing: [UInt8] = []
    return key.derived("device", nothing.span)
  }
}

extension UserVault {
  /// Of its file in the user's folder.
  public static var deviceSlotName: String { DeviceSlot.name }

  /// Writes the slot for the passcode and the fingers of now. Only to be called when that passcode was verified. `fingers`: what
  /// stands for the enrolled templates.
  public func writeDeviceSlot(_ userKey: borrowing UserKey, fingers: [UInt8]) throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    let slot = try DeviceSlot.make(
      userKey, generation: try currentSlot().generation, try fingerSet(), fingers: fingers, uid: uid)
    try write(DeviceSlot.record, DeviceSlot.name, in: directory, slot.write)
  }

  /// The key from the slot. `putBack` where the slot is of another passcode or other fingers than those of now, `missing` where
  /// there is none.
  public func openDeviceSlot(fingers: [UInt8]) throws(VaultError) -> UserKey {
    let path = path(DeviceSlot.name)
    guard let slot = try readDeviceSlot() else { throw .missing(path) }
    // Also that the vault is this user's, and not that of somebody who had the uid before.
    guard try newest() != nil else { throw .noKey }
    let set = try fingerSet()
    guard slot.generation == (try currentSlot().generation), slot.set == set.generation, slot.fingers == fingers else {
      throw .putBack(path)
    }
    guard let key = slot.open(set, uid: uid) else { throw .damaged(path) }
    return key
  }
}
