import DaemonAccounts
import DaemonConnections
import DaemonReaders
import DaemonService
import SignetFiles
import SignetVocabulary
import SignetWire

/// Deleting one enrolled finger, or all: a fresh passcode, the files, and what the reader itself stores.
struct Deletion {
  let daemon: Daemon
  let client: ClientConnection
  let user: User

  func run(_ finger: Finger?) throws(ClientConnection.Interruption) {
    guard try OwnerCheck(daemon: daemon, client: client, user: user).passes() else { return }
    client.phase = .working
    do {
      let fingers = try daemon.store.value.fingers(of: user)
      let doomed = fingers.usable.filter { finger == nil || $0.finger == finger }
      if doomed.isEmpty, finger != nil || fingers.unusable.isEmpty {
        return client.refuse(.notEnrolled(user: user.name, finger))
      }
      var remains: VaultError?
      var isDestroyed = true
      do throws(VaultError) { try daemon.vault.renewFingerSet(of: user) } catch {
        remains = error
        isDestroyed = daemon.vault.destroyFingerSet(of: user)
      }
      for finger in doomed {
        try daemon.store.value.remove(finger)
        daemon.audit.record(.deleted(finger.finger), of: user, by: Requester(client))
      }
      if finger == nil { try daemon.store.value.removeUnusableFingers(of: user) }
      removeFromChip(doomed)
      // A finger less is never refused. What it is not is said.
      if let remains { return client.refuse(isDestroyed ? .deletedWithFault(remains) : .deletedButKept(remains)) }
      try client.send(AdministrationReply.done)
    } catch let error as SystemError {
      client.refuse(.stateUnusable(error))
    } catch {
      throw error as? ClientConnection.Interruption ?? .closed
    }
  }

  /// Takes the prints off match-on-chip readers that are there. One that is not keeps a print that no user owns any more,
  /// which nothing can use, and which goes when its store is full.
  private func removeFromChip(_ fingers: [EnrolledFinger]) {
    let holder = ReaderStation.Holder(user: user.name, service: "signet delete")
    guard !fingers.isEmpty, case .lease(let lease) = daemon.readers.claim(for: holder) else { return }
    let session = ReaderSession(lease: lease, client: client)
    guard case .success(let readers) = ReaderList.read(with: session) else { return }
    for reader in readers where reader.hasStorage {
      let prints = fingers.filter { $0.reader == reader.identifier }
      guard !prints.isEmpty,
        let opening = try? session.beginOpening(reader.identifier, fingers: [], of: daemon.store.value),
        case .done = session.awaitOpened(opening.operation)
      else { continue }
      for print in prints { delete(print, with: session) }
    }
  }

  private func delete(_ finger: EnrolledFinger, with session: ReaderSession) {
    let operation: UInt32
    do {
      let template = try daemon.store.value.template(of: finger)
      operation = try session.begin { .deletePrint(operation: $0, template) }
    } catch {
      guard let error = error as? SystemError else { return }
      return Log.write(.warning, "a print stays on the reader: \(error.description)", [("reader", finger.reader)])
    }
    let deadline = bootMilliseconds() + 10_000
    while true {
      switch session.next(of: operation, until: deadline) {
      case .event(.idle): return
      case .event(.failed(_, _, let explanation)):
        return Log.write(.warning, "a print stays on the reader: \(explanation)", [("reader", finger.reader)])
      case .event, .request: continue
      case .deadline, .interrupted, .trouble: return
      }
    }
  }
}

/// Changing the enrolled fingers needs a fresh passcode of their owner, unless root does it.
struct OwnerCheck {
  let daemon: Daemon
  let client: ClientConnection
  let user: User

  /// False where the client has been refused. `makesVault`: whether the passcode makes the user's vault, if there is none.
  func passes(makesVault: Bool = false) throws(ClientConnection.Interruption) -> Bool {
    if client.peer.isRoot { return true }
    let dialog = PasscodeDialog(daemon: daemon, client: client, user: user)
    let outcome = try dialog.run(.administration)
    if outcome == .verified {
      if try dialog.openVaultFirst(creates: makesVault) != nil { return true }
      client.refuse(.cancelled)
    } else {
      client.refuse(outcome, of: user)
    }
    Log.write(.warning, "refused to change fingers", [("user", user.name), ("pid", "\(client.peer.pid)")])
    return false
  }
}

extension ClientConnection {
  /// Tells the client why a passcode did not do.
  func refuse(_ outcome: PasscodeDialog.Outcome, of user: User) {
    switch outcome {
    case .wrong: refuse(.passcodeFailed)
    case .delayed: refuse(.passcodeDelayed)
    case .notSet: refuse(.passcodeNotSet(user: user.name))
    case .cancelled: refuse(.cancelled)
    case .verified, .unavailable, .undecided: refuse(.passcodeUnchecked)
    }
  }
}
