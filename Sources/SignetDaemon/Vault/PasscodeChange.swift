import DaemonConnections
import DaemonService
import SignetBytes
import SignetMemory
import SignetVault
import SignetWire

/// The user has a new passcode (`pam_sm_chauthtok`), and the vault is to open with that one. Neither passcode is believed: the
/// PAM stack is asked about the new one, and counts it, as it would for a login; the old one has to open the vault.
struct PasscodeChange {
  let daemon: Daemon
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  func serve() throws(Interruption) {
    let (old, new) = (KeptPasscode(), KeptPasscode())
    let found = try client.readSecret { fields throws(FormatError) in
      let request = try PasscodeChangedRequest(parsing: fields)
      old.keep(request.old)
      new.keep(request.new)
      return User(named: request.user)
    }
    guard let user = found, client.peer.mayActAs(user.uid) else {
      if let found { daemon.audit.record(.refused(.passcodeChanged), of: found, by: Requester(client)) }
      return client.refuse(.otherUsersPasscode)
    }
    guard (try? daemon.store.value.hasVault(of: user.uid)) != false else { return try client.send(AdministrationReply.done) }
    let dialog = PasscodeDialog(daemon: daemon, client: client, user: user, service: "passwd", kept: new)
    defer { dialog.kept.forget() }
    var opening: Vault.Opening?
    let outcome = try dialog.check { () throws(Interruption) in
      opening = try dialog.changeVault(from: old)
      // Whom root gave a new passcode has not guessed at the old one; who does not wait for the answer may have.
      return opening?.isWrongPasscode == false || !old.holdsAny
    }
    guard let opening else { return client.refuse(outcome, of: user) }
    dialog.report(opening)
    switch opening {
    case .rewrapped, .opened, .created, .none:
      // Where root set the passcode, no module has the old one to open the keyring with: what opens it stays as it was.
      if old.holdsAny { renewLoginSecret(dialog) }
      try client.send(AdministrationReply.done)
    case .failed(.wrongPasscode), .overtaken: client.refuse(.oldPasscodeOpensVault)
    case .failed(let error): client.refuse(.vaultUnavailable(error))
    }
  }

  /// The keyring's own module sets its password to the new passcode at this moment, too.
  private func renewLoginSecret(_ dialog: PasscodeDialog) {
    guard daemon.configuration.keepsLoginSecret, case .releasable = daemon.vault.loginSecret(of: dialog.user) else { return }
    let isNew = dialog.kept.withPasscode { daemon.vault.keepLoginSecret($0, of: dialog.user) }
    if isNew == true { dialog.record(.loginSecretStored) }
  }
}
