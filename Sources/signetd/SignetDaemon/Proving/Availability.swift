import DaemonAccounts
import DaemonConnections
import DaemonPasscodes
import DaemonReaders
import DaemonService
import SignetAuthentication
import SignetVocabulary

/// Whether an application's evaluation could succeed, found out without showing anything and without opening a reader.
package struct Availability {
  private let attempt: Attempt

  package init(_ attempt: Attempt) { self.attempt = attempt }

  package typealias Interruption = ClientConnection.Interruption

  /// What an application is told.
  package struct Status: Equatable {
    /// `success`: an evaluation could succeed; otherwise how it would end.
    package var verdict: Verdict
    package var biometry: BiometryKind
    package var lock: LockReason
    /// What stands for the fingers that are enrolled; empty where none is.
    package var domainState: [UInt8]
  }

  /// For the policy of the attempt. The client may be waited for, with heartbeats.
  package func status() throws(Interruption) -> Status {
    let (prover, user) = (attempt.prover, attempt.user)
    let enrolled = (try? prover.store.value.fingers(of: user).usable) ?? []
    let fingers = enrolled.filter { prover.configuration.usesReader($0.reader) }
    let readers = try readers()
    let lock =
      fingers.isEmpty
      ? LockReason.none : prover.vault.lock(attempt.account.status, prover.vault.fingerAfterRestart(of: user))
    let verdict = if let obstacle = try attempt.accountObstacle() { obstacle } else { try judge(fingers, readers, lock) }
    return Status(
      verdict: verdict, biometry: readers.isEmpty ? .none : .touchID, lock: lock,
      domainState: prover.store.value.domainState(of: enrolled))
  }

  private func judge(
    _ fingers: [EnrolledFinger], _ readers: [ReaderDescription], _ lock: LockReason
  ) throws(Interruption) -> Verdict {
    guard attempt.request.policy == .deviceOwnerAuthentication else { return try biometric(fingers, readers, lock) }
    return try passcode() == .notSet ? .passcodeNotSet : .success
  }

  /// In Apple's order: the reader, the fingers, the passcode, and then what locks them.
  private func biometric(
    _ fingers: [EnrolledFinger], _ all: [ReaderDescription], _ lock: LockReason
  ) throws(Interruption) -> Verdict {
    let readers = all.filter(attempt.prover.lid.cover.leaves)
    let limits = attempt.prover.configuration.limits(for: attempt.request.service)
    guard limits.missesPerEvaluation > 0, !readers.isEmpty, attempt.failureOfOrigin(isLogged: false) == nil,
      attempt.failureOfLocation(isLogged: false) == nil
    else { return .biometryNotAvailable }
    guard !fingers.isEmpty else { return .biometryNotEnrolled }
    switch try passcode() {
    case .notSet: return .passcodeNotSet
    case .unknown: return .biometryNotAvailable
    case .isSet: break
    }
    guard fingers.contains(where: { readers.map(\.identifier).contains($0.reader) }) else { return .biometryNotAvailable }
    return lock == .none ? .success : .biometryLockout
  }

  private func readers() throws(Interruption) -> [ReaderDescription] {
    let listed = try attempt.prover.readers.inventory { reader, news throws(Interruption) in
      let ready = try attempt.client.wait(for: reader, news, until: .max)
      if case .request = ready, attempt.client.phase == .watching { throw .closed }
      return true
    }
    guard case .readers(let readers) = listed else { return [] }
    return readers
  }

  private func passcode() throws(Interruption) -> PasscodePresence.Answer {
    let question = attempt.prover.passcodes.presence.ask(about: attempt.user)
    guard case .answer(let answer) = try question.wait(for: attempt.client) else { return .unknown }
    return answer
  }

  /// Whether the user unlocked a screen at the seat by finger, at most so many seconds ago, and could be asked for that finger now.
  package func isUnlocked(within seconds: UInt16) throws(Interruption) -> Bool {
    guard seconds > 0 else { return false }
    let (prover, user) = (attempt.prover, attempt.user)
    let isLocked = attempt.account.status.lock != .none
    let basis = prover.vault.basis(of: user)
    guard prover.unlocks.has(user.uid, within: seconds, on: basis, isLocked: isLocked) else { return false }
    return attempt.failureOfOrigin() == nil && attempt.failureOfLocation() == nil
  }
}
