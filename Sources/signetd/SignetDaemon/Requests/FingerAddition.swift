import DaemonAccounts
import DaemonConnections
import DaemonProving
import DaemonReaders
import DaemonService
import DaemonVaults
import SignetVocabulary
import SignetWire

/// Adding fingers to those of a user, wherever their templates come from: who may, and what changes with them.
struct FingerAddition {
  let attempt: Attempt

  typealias Interruption = ClientConnection.Interruption

  private var client: ClientConnection { attempt.client }
  private var user: User { attempt.user }
  private var vault: Vault { attempt.prover.vault }

  /// Asks for the owner's passcode and claims the readers for `service`; then `add`, and the client is told how it ended.
  func run(as service: String, _ add: (ReaderSession) throws(Refusal) -> Void) throws(Interruption) {
    guard try OwnerCheck(attempt: attempt).passes(makesVault: true) else { return }
    client.phase = .working
    let holder = ReaderHolder(user, service: service, by: client.peer, at: attempt.readerLocation)
    let claim = attempt.prover.readers.claim(for: holder)
    if let refusal = claim.refusal(of: client.peer) { return client.refuse(refusal) }
    guard case .lease(let lease) = claim else { return }
    do throws(Refusal) {
      // Before the user has touched the reader five times.
      try checkDeviceKey()
      try add(ReaderSession(lease: lease, client: client))
    } catch {
      Log.write(.warning, "not enrolled: \(error)", [("user", user.name)])
      return client.refuse(error)
    }
    try client.send(AdministrationReply.done)
  }

  private func checkDeviceKey() throws(Refusal) {
    do { _ = try attempt.store.value.readDeviceKey() } catch { throw .stateUnusable(error) }
  }

  func stored() throws(Refusal) -> [EnrolledFinger] {
    do { return try attempt.store.value.fingers(of: user).usable } catch { throw .stateUnusable(error) }
  }

  /// Seals the template, which is in clear no longer than that.
  func seal(_ template: ClearTemplate, in finger: inout EnrolledFinger) throws(Refusal) {
    do { try attempt.store.value.seal(template, in: &finger) } catch { throw .stateUnusable(error) }
  }

  /// Puts a finger on disk, replacing one of the same name on the same reader.
  func keep(_ finger: EnrolledFinger, _ cause: FingerChange.Cause) throws(Refusal) {
    // Before the first template: a user with fingers and without this file counts as locked.
    if case .missing = attempt.store.value.lockout(of: user.uid), try stored().isEmpty {
      try attempt.account.reset().mapError(Refusal.stateUnusable).get()
    }
    // Before the template, so that at no moment a new finger opens what was bound to the old ones.
    do throws(VaultError) {
      let lost = try vault.renewFingerSet(of: user, for: FingerChange(cause, finger.finger, time: wallSeconds()))
      if lost > 0 { attempt.record(.itemsLost(items: lost)) }
    } catch {
      throw .vaultUnavailable(error)
    }
    do { try attempt.store.value.write(finger) } catch { throw .stateUnusable(error) }
    attempt.store.value.pinFingers(of: user.uid)
    // Root was not asked for the user's passcode, without which nobody lets a new finger open the vault after a restart.
    if !client.isRoot { vault.renewDeviceSlot(of: user) }
    attempt.account.whenChanged()
    attempt.record(cause == .imported ? .imported(finger.finger) : .enrolled(finger.finger))
  }
}
