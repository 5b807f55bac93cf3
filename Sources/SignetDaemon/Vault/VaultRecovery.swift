import DaemonConnections
import DaemonService
import SignetMemory
import SignetVault
import SignetWire

/// The passcode was set without the old one: with both of them the vault opens again. A wrong old one counts as a wrong
/// passcode does, however right the present one is.
struct VaultRecovery {
  let daemon: Daemon
  let client: ClientConnection
  let user: User

  func run() throws(ClientConnection.Interruption) {
    let dialog = PasscodeDialog(daemon: daemon, client: client, user: user, service: VaultDoor.service)
    let old = KeptPasscode()
    defer { dialog.kept.forget() }
    if let refused = try dialog.ask(.vault, for: dialog.kept) { return client.refuse(refused, of: user) }
    if let refused = try dialog.ask(.oldPasscode, for: old) { return client.refuse(refused, of: user) }
    var opening: Vault.Opening?
    let outcome = try dialog.check { () throws(ClientConnection.Interruption) in
      opening = try dialog.changeVault(from: old)
      return opening?.isWrongPasscode == false
    }
    switch opening {
    case .rewrapped, .opened, .created:
      guard outcome == .verified else { return client.refuse(outcome, of: user) }
      dialog.record(.vaultRecovered)
      try client.send(AdministrationReply.done)
    case .failed(.wrongPasscode): client.refuse(.oldPasscodeWrong)
    case .failed(let error): client.refuse(.vaultUnavailable(error))
    case .overtaken: client.refuse(.vaultLockedMeanwhile)
    case .some(.none): client.refuse(.noVault)
    // The present passcode was not right, or nobody waited.
    case nil: client.refuse(outcome, of: user)
    }
  }
}

extension PasscodeDialog {
  /// Wraps the user key for the passcode that was verified, while the client waits; `nil` where it cancelled.
  func changeVault(from old: KeptPasscode) throws(ClientConnection.Interruption) -> Vault.Opening? {
    try client.wait { [daemon, user, kept] in
      old.withPasscode { old in
        kept.use { present, ticket in daemon.vault.change(to: present, from: old.span, of: user, ticket) }
      } ?? .none
    }
  }
}

extension Vault.Opening {
  var isWrongPasscode: Bool { self == .failed(.wrongPasscode) }
}
