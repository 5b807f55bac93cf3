import CLinux
import CSodium
import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// What a guess at a passcode costs: scrypt's parameters (RFC 7914).
struct ScryptCost: Equatable, Sendable {
  /// The binary logarithm of N.
  var logN: UInt8
  var r: UInt8
  var p: UInt8

  /// A guess takes 128 MiB of memory and some tenths of a second.
  static let standard = ScryptCost(logN: 17, r: 8, p: 1)

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

  static let saltLength = 32
  static let wrappedLength = SealingKey.length + SealingKey.overhead

  /// Wraps a key. scrypt runs only here and in `open`.
  static func make(
    _ userKey: borrowing UserKey, passcode: Span<UInt8>, uid: UInt32, generation: UInt64, cost: ScryptCost
  ) throws(VaultError) -> PasscodeSlot {
    guard let salt = randomBytes(saltLength) else { throw .exhausted }
    var slot = PasscodeSlot(generation: generation, cost: cost, salt: salt, wrapped: [])
    guard let wrapped = try slot.wrappingKey(passcode).seal(userKey.span, for: slot.context(uid)) else { throw .exhausted }
    slot.wrapped = wrapped
    return slot
  }

  /// Unwraps the key; `nil` where the passcode is wrong.
  func open(_ passcode: Span<UInt8>, uid: UInt32) throws(VaultError) -> UserKey? {
    guard !passcode.isEmpty else { return nil }
    guard let secret = try wrappingKey(passcode).open(wrapped.span, for: context(uid)) else { return nil }
    return UserKey(secret)
  }

  /// The slot is bound to its number, parameters and salt as well, so that none of them can be exchanged.
  private func context(_ uid: UInt32) -> SealContext {
    SealContext("SGpc", uid: uid, name: Array(littleEndian: generation, size: 8) + [cost.logN, cost.r, cost.p] + salt)
  }

  func wrappingKey(_ passcode: Span<UInt8>) throws(VaultError) -> SealingKey {
    defer { SealingKey.wipeScratch() }
    guard cost.isWithinBounds, !passcode.isEmpty, var secret = SecretBytes(capacity: SealingKey.length) else {
      throw .exhausted
    }
    let written = unsafe secret.replace { output in
      let code = unsafe passcode.withUnsafeBufferPointer { input in
        unsafe crypto_pwhash_scryptsalsa208sha256_ll(
          input.baseAddress!, input.count, salt, salt.count, 1 << UInt64(cost.logN), UInt32(cost.r), UInt32(cost.p),
          output.baseAddress!.assumingMemoryBound(to: UInt8.self), SealingKey.length)
      }
      return code == 0 ? SealingKey.length : -1
    }
    guard written == SealingKey.length, let key = SealingKey(secret) else { throw .exhausted }
    return key
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
