import CLinux
import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// What a guess at a passcode costs: scrypt's parameters (RFC 7914).
public struct ScryptCost: Equatable, Sendable {
  /// The binary logarithm of N.
  var logN: UInt8
  var r: UInt8
  var p: UInt8

  init(logN: UInt8, r: UInt8, p: UInt8) { (self.logN, self.r, self.p) = (logN, r, p) }

  /// - Parameter mebibytes: the memory that a guess takes, a power of two from 16 to 256, as signet.conf(5) has it. With 128 it
  ///   takes some tenths of a second, and half of that with half the memory.
  public init(mebibytes: Int) { self.init(logN: UInt8(clamping: mebibytes.trailingZeroBitCount + 10), r: 8, p: 1) }

  /// Whether a file may ask for this cost: enough to slow guesses down, and no more memory than a login may take.
  var isWithinBounds: Bool {
    (14...20).contains(logN) && (1...16).contains(r) && (1...4).contains(p)
      && 128 * Int(r) << Int(logN) <= 256 << 20
  }
}

/// The user key, wrapped under a key that scrypt makes from the passcode.
struct PasscodeSlot: Equatable, Sendable {
  /// Grows with every rewrapping, so that an older slot, which an older passcode opens, is recognised.
  var generation: UInt64
  var cost: ScryptCost
  var salt: [UInt8]
  var wrapped: [UInt8]

  /// What the passcode that opens it is mixed with.
  var scryptSalt: ScryptSalt { ScryptSalt(cost: cost, bytes: salt) }

  static let saltLength = 32
  static let wrappedLength = SealingKey.length + SealingKey.overhead

  /// Wraps a key.
  static func make(
    _ key: Span<UInt8>, under passcodeKey: borrowing PasscodeKey, uid: UInt32, generation: UInt64, purpose: StaticString = "SGpc"
  ) throws(VaultError) -> PasscodeSlot {
    let salt = passcodeKey.salt
    var slot = PasscodeSlot(generation: generation, cost: salt.cost, salt: salt.bytes, wrapped: [])
    guard let wrapped = passcodeKey.key.seal(key, for: slot.context(uid, purpose)) else { throw .exhausted }
    slot.wrapped = wrapped
    return slot
  }

  /// Unwraps the key; `nil` where the passcode is wrong.
  func open(_ passcodeKey: borrowing PasscodeKey, uid: UInt32) -> UserKey? {
    guard let secret = unwrap(passcodeKey, uid: uid, purpose: "SGpc") else { return nil }
    return UserKey(secret)
  }

  /// The same for a key of another purpose.
  func unwrap(_ passcodeKey: borrowing PasscodeKey, uid: UInt32, purpose: StaticString) -> SecretBytes? {
    passcodeKey.key.open(wrapped.span, for: context(uid, purpose))
  }

  /// The slot is bound to its number, parameters and salt as well, so that none of them can be exchanged.
  private func context(_ uid: UInt32, _ purpose: StaticString) -> SealContext {
    SealContext(purpose, uid: uid, name: Array(littleEndian: generation, size: 8) + [cost.logN, cost.r, cost.p] + salt)
  }
}

extension PasscodeSlot {
  static let record = SealedRecord("SGuk", limit: 256)

  func write(_ fields: inout SecretBytes) throws(FormatError) {
    try fields.put(generation, size: 8)
    for number in [cost.logN, cost.r, cost.p] { try fields.put(number) }
    try fields.put(raw: salt.span)
    try fields.put(raw: wrapped.span)
  }

  static func read(_ fields: inout ByteReader) throws(FormatError) -> PasscodeSlot {
    let generation = try fields.uint64()
    let cost = ScryptCost(logN: try fields.byte(), r: try fields.byte(), p: try fields.byte())
    guard cost.isWithinBounds else { throw .badValue }
    let salt = Array(copying: try fields.bytes(saltLength))
    let wrapped = Array(copying: try fields.bytes(wrappedLength))
    return PasscodeSlot(generation: generation, cost: cost, salt: salt, wrapped: wrapped)
  }
}

/// Random bytes that need not be secret, for salts.
func randomBytes(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  let written = unsafe bytes.withUnsafeMutableBytes { unsafe getrandom($0.baseAddress!, count, 0) }
  return written == count ? bytes : nil
}
