import DaemonSealing
import DaemonService
import Glibc
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVault
import SignetVocabulary

/// What a verified passcode does for the device key, besides opening the vault: it brings back a key that the TPM does not open
/// any more, lets a new key, or that of an older Signet, be sealed by the TPM, and keeps the copy by which it brings it back.
extension Vault {
  /// Before the vault is opened, because without the device key it does not open.
  func tendDeviceKey(_ passcode: borrowing SecretBytes, of user: User, keepsSecrets: Bool) {
    let keeper = store.value.keeper
    guard keeper.tpm != nil else { return }
    // The passcode was accepted before the key was open, and may be pinned now.
    defer { store.value.rollbackGuard.prepare() }
    if keeper.isOfTPM { bringBack(passcode, user) }
    do throws(SystemError) {
      switch keeper.care {
      case .none: return
      case .unseal:
        try keeper.unseal()
        Log.write(.notice, "the device key is in its file again: signet.conf says `tpm = no`")
      case .seal where keepsSecrets:
        let derived = try deriveForCopy(passcode, of: user)
        try keeper.seal(
          isNew: { store.value.hasNothingSealed },
          keep: { key throws(SystemError) in try keep(key, derived, user, 0) })
        Log.write(.notice, "the TPM has sealed the device key")
      case .seal: return
      }
    } catch {
      Log.write(.error, error.description, [("user", user.name)])
    }
  }

  /// Renews the copy where the passcode or the key may be another one since it was made. After the vault was opened: that tells.
  func renewRecovery(_ passcode: borrowing SecretBytes, of user: User, _ opening: Opening) {
    let keeper = store.value.keeper
    guard keeper.needsRecovery, let key = try? keeper.key(isNew: { false }) else { return }
    guard (try? hasVault(user)) == true else { return }
    let number = (try? files(of: user, seals: false).slotGeneration()) ?? 0
    // Another passcode opens the vault: the number says nothing about this one.
    let isKnown = opening.isOpen && number > 0
    let copy = try? recovery(of: user)
    if isKnown, let copy, copy.generation == number, copy.mark == key.mark { return }
    do throws(SystemError) { try keep(key, deriveForCopy(passcode, of: user), user, isKnown ? number : 0) } catch {
      Log.write(.error, "no recovery copy of the device key: \(error.description)", [("user", user.name)])
    }
  }

  private func bringBack(_ passcode: borrowing SecretBytes, _ user: User) {
    let keeper = store.value.keeper
    do throws(SystemError) {
      _ = try keeper.current(isNew: { store.value.hasNothingSealed }, patiently: true)
      return
    } catch {
      Log.write(.error, error.description)
    }
    do {
      guard let copy = try recovery(of: user) else {
        return Log.write(.error, "this user's passcode cannot bring the device key back", [("user", user.name)])
      }
      let derived = try derive(passcode, copy.salt, of: user)
      if let key = copy.open(derived, uid: user.uid), keeper.recover(key) {
        Log.write(.notice, "a passcode has brought the device key back", [("user", user.name)])
      } else {
        Log.write(.error, "the recovery copy is of another passcode or key", [("user", user.name)])
      }
    } catch {
      Log.write(.error, "the recovery copy cannot be used: \(error)", [("user", user.name)])
    }
  }

  private func recovery(of user: User) throws -> RecoveryCopy? {
    guard let folder = try store.value.root.existingDirectory(DeviceKeeper.recoveryName),
      let bytes = try folder.read("\(user.uid)", limit: RecoveryCopy.limit)
    else { return nil }
    return try RecoveryCopy(decoding: bytes, uid: user.uid)
  }

  /// scrypt's part, for which no lock is held that others wait for.
  private func deriveForCopy(_ passcode: borrowing SecretBytes, of user: User) throws(SystemError) -> PasscodeKey {
    do throws(VaultError) { return try deriveNew(passcode, of: user) } catch {
      throw .call(.seal, DeviceKeeper.recoveryName, code: ENOMEM)
    }
  }

  private func keep(
    _ key: HeldKey, _ derived: borrowing PasscodeKey, _ user: User, _ number: UInt64
  ) throws(SystemError) {
    guard let copy = try? RecoveryCopy(of: key, under: derived, uid: user.uid, generation: number),
      let bytes = try? copy.encoded(uid: user.uid)
    else { throw .call(.seal, DeviceKeeper.recoveryName, code: ENOMEM) }
    try store.value.root.existingOrNewDirectory(DeviceKeeper.recoveryName).replace("\(user.uid)", with: bytes)
  }
}
