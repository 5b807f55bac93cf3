import DaemonConnections
import DaemonSealing
import SignetMemory
import SignetVocabulary

/// The TPM's part of a user's keys. It takes up to seconds, in which the client gets heartbeats and may cancel, and nothing is held that
/// others wait for but the user's own turn.
struct TPMKeys {
  let access: VaultAccess

  typealias Interruption = ClientConnection.Interruption

  /// How long the TPM may take for a key or a signature, in milliseconds.
  private static let limit: Int64 = 5_000

  /// What came of it; `nil` where the client cancelled.
  typealias Outcome<Value> = Result<Value, TPM.Failure>?

  private var keeper: DeviceKeeper { access.prover.store.value.keeper }

  /// Has the TPM make a key, where it has the device key. Elsewhere the failure is `gone`, for which nobody has to be told anything.
  func make() throws(Interruption) -> Outcome<TPM.SigningKey> {
    guard let tpm = keeper.tpmInUse else { return .failure(TPM.Failure(fault: .gone)) }
    return try inTurn(with: ()) { _ throws(TPM.Failure) in try tpm.makeSigningKey(agrees: true, within: TPMKeys.limit) }
  }

  /// The signature, r and s. What was made in the TPM signs there for as long as there is one, also where signet.conf says `tpm = no` now.
  func sign(_ digest: [UInt8], with handle: consuming SecretBytes) throws(Interruption) -> Outcome<[UInt8]> {
    guard let tpm = keeper.tpm else { return .failure(TPM.Failure(fault: .missing)) }
    return try inTurn(with: handle) { handle throws(TPM.Failure) in
      try tpm.sign(digest, with: handle, within: TPMKeys.limit)
    }
  }

  /// What a key and another's public one, x and y, agree on.
  func agree(with point: [UInt8], by handle: consuming SecretBytes) throws(Interruption) -> Outcome<TPM.Agreement> {
    guard let tpm = keeper.tpm else { return .failure(TPM.Failure(fault: .missing)) }
    return try inTurn(with: handle) { handle throws(TPM.Failure) in
      try tpm.agree(with: point, by: handle, within: TPMKeys.limit)
    }
  }

  private func inTurn<Input: ~Copyable & Sendable, Value: Sendable>(
    with input: consuming Input, _ work: @escaping @Sendable (consuming Input) throws(TPM.Failure) -> Value
  ) throws(Interruption) -> Outcome<Value> {
    let (turns, uid, client) = (keeper.turns, access.user.uid, access.client)
    client.phase = .working
    let waiter = turns.ends.join()
    while !turns.take(of: uid) {
      if case .request(.cancel) = try client.wait(for: waiter.descriptor, until: .max) { return nil }
      waiter.looks()
    }
    return try client.wait(with: input) { input in
      defer { turns.end(of: uid) }
      do throws(TPM.Failure) { return Result<Value, TPM.Failure>.success(try work(input)) } catch { return .failure(error) }
    }
  }
}
