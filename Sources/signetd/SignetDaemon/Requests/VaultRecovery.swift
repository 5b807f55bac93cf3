import DaemonConnections
import DaemonPasscodes
import DaemonProving
import SignetVocabulary
import SignetWire

/// The passcode was set without the old one: with both of them the vault opens again. A wrong old one counts as a wrong
/// passcode does, however right the present one is.
struct VaultRecovery {
  let access: VaultAccess

  private var client: ClientConnection { access.client }

  func run() throws(ClientConnection.Interruption) {
    // Before two passcodes are typed for it.
    guard access.prover.vault.row(of: access.user).state != .none else { return client.refuse(.noVault) }
    let attempt = access.attempt()
    let dialog = PasscodeDialog(attempt)
    let present: TypedPasscode
    switch try dialog.ask(.vault) {
    case .typed(let typed): present = typed
    case .refused(let outcome): return client.refuse(outcome, of: access.user)
    }
    let old: TypedPasscode
    switch try dialog.ask(.oldPasscode) {
    case .typed(let typed): old = typed
    case .refused(let outcome): return client.refuse(outcome, of: access.user)
    }
    let recovered = try dialog.rewrap(to: present, from: old, .asked, renewsLoginSecret: false)
    switch recovered.opening {
    case .rewrapped, .opened, .created:
      if let outcome = recovered.refused { return client.refuse(outcome, of: access.user) }
      attempt.record(.vaultRecovered)
      try client.send(AdministrationReply.done)
    case .failed(.wrongPasscode): client.refuse(.oldPasscodeWrong)
    case .failed(let error): client.refuse(.vaultUnavailable(error))
    case .overtaken: client.refuse(.vaultLockedMeanwhile)
    case .some(.none): client.refuse(.noVault)
    // The present passcode was not right, or the client left.
    case nil: client.refuse(recovered.refused ?? .unavailable, of: access.user)
    }
  }
}
