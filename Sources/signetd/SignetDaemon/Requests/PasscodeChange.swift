import DaemonAudit
import DaemonConnections
import DaemonPasscodes
import DaemonProving
import DaemonService
import SignetBytes
import SignetVocabulary
import SignetWire

/// The user has a new passcode (`pam_sm_chauthtok`), and the vault is to open with that one. signetd believes neither passcode:
/// it has the PAM stack check the new one, as for a login, and the old one has to open the vault.
struct PasscodeChange {
  let prover: Prover
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  func serve() throws(Interruption) {
    let change = try client.readSecret { fields throws(FormatError) in
      let request = try PasscodeChangedRequest(parsing: fields)
      return Change(user: User(named: request.user), old: TypedPasscode(request.old), new: TypedPasscode(request.new))
    }
    guard let user = change.user, client.peer.mayActAs(user.uid) else {
      if let user = change.user { prover.audit.record(.refused(.passcodeChanged), of: user, by: Requester(client)) }
      return client.refuse(.otherUsersPasscode)
    }
    guard (try? prover.vault.hasVault(user)) != false else { return try client.send(AdministrationReply.done) }
    guard let old = change.old, let new = change.new else { return client.refuse(.unavailable, of: user) }
    // Where root set the passcode, no module has the old one to open the keyring with: what opens it stays as it was.
    let renews = prover.configuration.keepsLoginSecret && !old.isEmpty
    let dialog = PasscodeDialog(Attempt(prover, for: user, by: client, EvaluationRequest(service: "passwd")))
    let changed = try dialog.rewrap(to: new, from: old, .left, renewsLoginSecret: renews)
    switch changed.opening {
    case .rewrapped, .opened, .created, .some(.none): try client.send(AdministrationReply.done)
    case .failed(.wrongPasscode), .overtaken: client.refuse(.oldPasscodeOpensVault)
    case .failed(let error): client.refuse(.vaultUnavailable(error))
    case nil: client.refuse(changed.refused ?? .unavailable, of: user)
    }
  }

  private struct Change: ~Copyable {
    /// `nil` where there is no such user.
    let user: User?
    let old: TypedPasscode?
    let new: TypedPasscode?
  }
}
