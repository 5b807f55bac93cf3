import CScrypt
import CSodium
import SignetMemory
import SignetSealing
import SignetVocabulary

/// What scrypt makes a key of, besides the passcode.
public struct ScryptSalt: Equatable, Sendable {
  let cost: ScryptCost
  let bytes: [UInt8]

  init(cost: ScryptCost, bytes: [UInt8]) {
    self.cost = cost
    self.bytes = bytes
  }

  /// A random one for a key that is wrapped from now on.
  public init(randomFor cost: ScryptCost) throws(VaultError) {
    guard let bytes = randomBytes(PasscodeSlot.saltLength) else { throw .exhausted }
    self.init(cost: cost, bytes: bytes)
  }
}

/// The key that scrypt makes of a passcode, which wraps the user key. Making it takes as much memory as signet.conf(5) says, with
/// 128 MiB a third of a second, many times that on a slow machine, and needs nothing of the vault but the salt: it is made while no lock is held, so that nobody
/// waits for it but who brought the passcode.
public struct PasscodeKey: ~Copyable, Sendable {
  let salt: ScryptSalt
  let key: SealingKey

  /// Runs scrypt, which nothing else does.
  public init(_ passcode: Span<UInt8>, _ salt: ScryptSalt) throws(VaultError) {
    key = try PasscodeKey.scrypt(passcode, salt)
    self.salt = salt
  }

  private static func scrypt(_ passcode: Span<UInt8>, _ salt: ScryptSalt) throws(VaultError) -> SealingKey {
    guard !passcode.isEmpty else { throw .emptyPasscode }
    cscrypt_fills_maps(false)
    defer {
      cscrypt_fills_maps(true)
      SealingKey.wipeScratch()
    }
    let (cost, length) = (salt.cost, SealingKey.length)
    guard cost.isWithinBounds, var secret = SecretBytes(capacity: length) else { throw .exhausted }
    let written = unsafe secret.replace { output in
      let code = unsafe passcode.withUnsafeBufferPointer { input in
        unsafe crypto_pwhash_scryptsalsa208sha256_ll(
          input.baseAddress!, input.count, salt.bytes, salt.bytes.count, 1 << UInt64(cost.logN), UInt32(cost.r), UInt32(cost.p),
          output.baseAddress!.assumingMemoryBound(to: UInt8.self), length)
      }
      return code == 0 ? length : -1
    }
    guard written == length, let key = SealingKey(secret) else { throw .exhausted }
    return key
  }
}

/// Each in one step, for tests, which hold no lock that somebody could wait for.
extension UserVault {
  func createKey(passcode: Span<UInt8>, cost: ScryptCost) throws(VaultError) -> UserKey {
    try createKey(try PasscodeKey(passcode, try ScryptSalt(randomFor: cost)))
  }

  func openKey(passcode: Span<UInt8>) throws(VaultError) -> UserKey {
    let salt = try salt()
    guard !passcode.isEmpty, let key = try openKey(try PasscodeKey(passcode, salt)) else { throw .wrongPasscode }
    return key
  }
}
