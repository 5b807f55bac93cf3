import DaemonAccounts
import DaemonService
import SignetFiles
import SignetVault
import SignetVocabulary

/// The device slot: a copy of the user key that this machine opens without the passcode, so that the first finger after a restart
/// opens the vault. It is there only where signet.conf asks for it and the TPM alone has the device key: from a key on the disk,
/// whoever takes that disk would have every vault.
extension Vault {
  /// A user's key, out of the device slot, before the finger that it needs. Wiped where none matches.
  package struct FirstOpening: ~Copyable {
    fileprivate let key: UserKey
    fileprivate let uid: UInt32
    /// A lock that comes later keeps the vault closed.
    fileprivate let ticket: UserKeys.Ticket
  }

  /// Opens the slot, for a finger that is asked for next; says why not where it is not to be used.
  package func openDeviceSlot(of user: User) throws(FingerAfterRestart) -> FirstOpening {
    if let obstacle = obstacleToDeviceSlot { throw obstacle }
    store.value.rollbackGuard.waitUntilDecided()
    guard store.value.rollbackGuard.vouches(for: user.uid) else { throw .unpinned }
    guard (try? hasVault(user)) == true else { throw .unwritten }
    let ticket = keys.ticket(user.uid)
    let fingers = store.value.fingerMark(of: user.uid)
    do throws(VaultError) {
      let key = try inTurn(user) { vault throws(VaultError) in try vault.openDeviceSlot(fingers: fingers) }
      return FirstOpening(key: key, uid: user.uid, ticket: ticket)
    } catch {
      switch error.cause {
      case .noKey: throw .unwritten
      case .missing: throw hasDeviceSlot(user.uid) ? .damaged : .unwritten
      case .putBack: throw .outdated
      default: throw .damaged
      }
    }
  }

  /// Holds the key: a finger has matched. False where a lock came in between.
  package func adopt(_ opening: borrowing FirstOpening) -> Bool {
    keys.hold(opening.key, of: opening.uid, opening.ticket, isOfSession: hasSession(opening.uid))
  }

  /// For `signet status`.
  package func fingerAfterRestart(of user: User) -> FingerAfterRestart {
    do throws(FingerAfterRestart) {
      _ = try openDeviceSlot(of: user)
      return .ready
    } catch {
      return error
    }
  }

  /// What locks the user's fingers, for whoever asks about it beforehand: not the restart, where a finger opens the vault.
  /// `afterRestart` opens a file, and is only asked for where the restart is the reason.
  package func lock(
    _ status: Account.LockoutStatus, _ afterRestart: @autoclosure () -> FingerAfterRestart
  ) -> LockReason {
    guard status.isFirstUse, status.lock == .restart, afterRestart() == .ready else { return status.lock }
    return status.lockOfFirstUse
  }

  /// Writes the slot anew, or destroys it where it is not to be there. Only to be called when the user's passcode was verified.
  package func renewDeviceSlot(of user: User) {
    guard obstacleToDeviceSlot == nil, keys.isHeld(user.uid) else { return destroyDeviceSlot(of: user.uid) }
    let fingers = store.value.fingerMark(of: user.uid)
    // Without a finger there is nothing that could use it.
    guard fingers.contains(where: { $0 != 0 }) else { return destroyDeviceSlot(of: user.uid) }
    do throws(VaultError) {
      try inTurn(user) { vault throws(VaultError) in
        if (try? vault.openDeviceSlot(fingers: fingers)) != nil { return }
        try keys.lend(user.uid) { key throws(VaultError) in
          switch key {
          case .some(let key): try vault.writeDeviceSlot(key, fingers: fingers)
          case .none: throw .locked
          }
        }
      }
    } catch {
      Log.write(.error, "no finger will open the vault after a restart: \(error.description)", [("user", user.name)])
      destroyDeviceSlot(of: user.uid)
    }
  }

  /// Removes the slot: from now on only the passcode opens the vault after a restart.
  package func destroyDeviceSlot(of uid: UInt32) { store.value.destroyDeviceSlot(of: uid) }

  /// To be called when signetd starts: destroys what signet.conf does not want any more, or what the TPM does not protect.
  package func destroyUnwantedDeviceSlots() {
    let keeper = store.value.keeper
    guard afterRestart != .ready || !keeper.needsRecovery else { return }
    for uid in (try? store.value.uids()) ?? [] { destroyDeviceSlot(of: uid) }
  }

  private func hasDeviceSlot(_ uid: UInt32) -> Bool { store.value.hasDeviceSlot(of: uid) }

  /// Why no user's slot is to be there.
  private var obstacleToDeviceSlot: FingerAfterRestart? {
    if afterRestart != .ready { return afterRestart }
    return store.value.keeper.isOfTPMAlone ? nil : .withoutTPM
  }
}

extension AccountStore {
  func hasDeviceSlot(of uid: UInt32) -> Bool { (try? folder(of: uid)?.stamp(UserVault.deviceSlotName)) != nil }

  package func destroyDeviceSlot(of uid: UInt32) {
    guard hasDeviceSlot(of: uid) else { return }
    do throws(SystemError) { try folder(of: uid)?.destroy(UserVault.deviceSlotName) } catch {
      Log.write(.error, "the slot for a finger after a restart is still there: \(error.description)", [("uid", "\(uid)")])
    }
  }
}
