import Glibc
import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// The device key, wrapped for one user's passcode: what brings it back where the TPM does not open it any more. It is kept only
/// where the TPM has the key, because whoever has the disk can guess at the passcode with it.
public struct RecoveryCopy: Equatable, Sendable {
  /// Of the passcode slot when this was made: another number means that the passcode may be another one.
  public var generation: UInt64 { slot.generation }
  /// By which the key is known; see `HeldKey.mark`.
  public let mark: [UInt8]
  private let slot: PasscodeSlot

  /// The longest file that is read.
  public static let limit = 256

  /// Wraps a key.
  public init(
    of key: HeldKey, under passcodeKey: borrowing PasscodeKey, uid: UInt32, generation: UInt64
  ) throws(VaultError) {
    guard let secret = key.copy else { throw .exhausted }
    mark = key.mark
    slot = try PasscodeSlot.make(
      secret.span, under: passcodeKey, uid: uid, generation: generation, purpose: RecoveryCopy.purpose)
  }

  /// What scrypt needs to open it.
  public var salt: ScryptSalt { slot.scryptSalt }

  /// The key; `nil` where it is another passcode's.
  public func open(_ passcodeKey: borrowing PasscodeKey, uid: UInt32) -> HeldKey? {
    guard let secret = slot.unwrap(passcodeKey, uid: uid, purpose: RecoveryCopy.purpose), let key = HeldKey(secret),
      key.mark == mark
    else { return nil }
    return key
  }

  private static let purpose: StaticString = "SGrk"

  public init(decoding bytes: [UInt8], uid: UInt32) throws(FormatError) {
    var fields = ByteReader(bytes.span)
    let header = FileHeader(RecoveryCopy.purpose, uid: uid).bytes
    guard Array(copying: try fields.bytes(header.count)) == header else { throw .badValue }
    mark = Array(copying: try fields.bytes(HeldKey.length))
    slot = try PasscodeSlot.read(&fields)
    try fields.end()
  }

  public func encoded(uid: UInt32) throws(FormatError) -> [UInt8] {
    guard var fields = SecretBytes(capacity: RecoveryCopy.limit) else { throw .tooLong }
    try fields.put(raw: FileHeader(RecoveryCopy.purpose, uid: uid).bytes.span)
    try fields.put(raw: mark.span)
    try slot.write(&fields)
    return Array(copying: fields.span)
  }
}

extension UserVault {
  /// The number of the passcode slot; 0 where there is none.
  public func slotGeneration() throws(VaultError) -> UInt64 { try readSlot()?.generation ?? 0 }
}
