import DaemonAccounts
import DaemonConnections
import DaemonProving
import DaemonReaders
import DaemonService
import DaemonVaults
import SignetFiles
import SignetVocabulary
import SignetWire

/// Deleting one enrolled finger, or all: a fresh passcode, the files, and what the reader itself stores.
struct Deletion {
  let attempt: Attempt

  private var client: ClientConnection { attempt.client }
  private var user: User { attempt.user }
  private var vault: Vault { attempt.prover.vault }

  func run(_ finger: Finger?) throws(ClientConnection.Interruption) {
    if let refusal = look(for: finger) { return client.refuse(refusal) }
    guard try OwnerCheck(attempt: attempt).passes() else { return }
    client.phase = .working
    defer { attempt.account.whenChanged() }
    do {
      let fingers = try attempt.store.value.fingers(of: user)
      let doomed = fingers.usable.filter { finger == nil || $0.finger == finger }
      guard isThere(finger, fingers) else { return client.refuse(.notEnrolled(user: user.name, finger)) }
      var remains: VaultError?
      var isDestroyed = true
      do throws(VaultError) {
        let lost = try vault.renewFingerSet(of: user, for: FingerChange(.deleted, finger, time: wallSeconds()))
        if lost > 0 { attempt.record(.itemsLost(items: lost)) }
      } catch {
        remains = error
        isDestroyed = vault.destroyFingerSet(of: user)
      }
      defer {
        attempt.store.value.pinFingers(of: user.uid)
        // Root was not asked for the user's passcode.
        if !client.isRoot, remains == nil { vault.renewDeviceSlot(of: user) }
      }
      for finger in doomed {
        try attempt.store.value.remove(finger)
        attempt.record(.deleted(finger.finger))
      }
      if finger == nil { try attempt.store.value.removeUnusableFingers(of: user) }
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

  /// Why there is nothing to delete, where nobody need prove anything to hear that: whose fingers they are sees them anyway, which
  /// who asks over the bus need not be.
  private func look(for finger: Finger?) -> Refusal? {
    guard client.caller != .busService, let fingers = try? attempt.store.value.fingers(of: user) else { return nil }
    return isThere(finger, fingers) ? nil : .notEnrolled(user: user.name, finger)
  }

  private func isThere(_ finger: Finger?, _ fingers: AccountStore.Fingers) -> Bool {
    guard let finger else { return !fingers.isEmpty }
    return fingers.usable.contains { $0.finger == finger }
  }

  /// Takes the prints off match-on-chip readers that are there. One that is not keeps a print that no user owns any more,
  /// which nothing can use, and which goes when its store is full.
  private func removeFromChip(_ fingers: [EnrolledFinger]) {
    // Most readers store nothing: they are not claimed for this.
    let readers = chips.filter { chip in fingers.contains { $0.reader == chip.identifier } }
    let holder = ReaderHolder(user, service: "signet delete", by: client.peer)
    guard !readers.isEmpty, case .lease(let lease) = attempt.prover.readers.claim(for: holder) else { return }
    let session = ReaderSession(lease: lease, client: client)
    for reader in readers {
      let prints = fingers.filter { $0.reader == reader.identifier }
      guard let opening = try? session.beginOpening(reader.identifier, fingers: [], of: attempt.store.value),
        case .done = session.awaitOpened(opening.operation)
      else { continue }
      for print in prints { delete(print, with: session) }
    }
  }

  /// The readers with a store of their own.
  private var chips: [ReaderDescription] {
    let listed = try? attempt.prover.readers.list { reader, news throws(ClientConnection.Interruption) in
      _ = try client.wait(for: reader, news, until: .max)
      return true
    }
    guard case .readers(let readers) = listed else { return [] }
    return readers.filter(\.hasStorage)
  }

  private func delete(_ finger: EnrolledFinger, with session: ReaderSession) {
    let operation: UInt32
    do {
      let template = try attempt.store.value.template(of: finger)
      operation = try session.begin { .deletePrint(operation: $0, template) }
    } catch {
      guard let error = error as? SystemError else { return }
      return Log.write(.warning, "a print stays on the reader: \(error.description)", [("reader", finger.reader)])
    }
    if case .failed(_, let explanation) = session.awaitEnd(of: operation, until: bootMilliseconds() + 10_000) {
      Log.write(.warning, "a print stays on the reader: \(explanation)", [("reader", finger.reader)])
    }
  }
}
