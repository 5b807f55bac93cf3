import SignetMemory
import SignetVault
import SignetWire

/// The passcode was set without the old one: with both of them the vault opens again.
struct VaultRecovery {
  let daemon: Daemon
  let client: ClientConnection
  let user: User

  typealias Interruption = ClientConnection.Interruption

  /// How long the user may take to type, in milliseconds.
  private static let answerLimit: Int64 = 10 * 60_000

  func run() throws(Interruption) {
    let dialog = PasscodeDialog(daemon: daemon, client: client, user: user, service: VaultDoor.service)
    let outcome = try dialog.run(.vault)
    guard outcome == .verified else { return client.refuse(outcome, of: user) }
    defer { dialog.kept.forget() }
    switch try dialog.openVaultFirst(creates: false) {
    case .failed(.wrongPasscode, _): try takeOld(dialog)
    case .failed(_, let explanation): client.refuse(.vaultUnavailable, explanation)
    // It opens with the present passcode: there is nothing to recover.
    case .opened, .created, .rewrapped: try client.send(AdministrationReply.done)
    case .some(.none): client.refuse(.vaultUnavailable, VaultRecovery.noVault)
    case .overtaken: client.refuse(.vaultUnavailable, "It was locked in the meantime; try again.")
    case nil: client.refuse(.cancelled, "Cancelled; nothing was changed.")
    }
  }

  private static let noVault = "There is no vault to recover."

  private func takeOld(_ dialog: PasscodeDialog) throws(Interruption) {
    guard let old = try askOld() else { return client.refuse(.cancelled, "Cancelled; nothing was changed.") }
    // Counted like any other guess at a passcode, before it is looked at.
    let charge: ChargedPasscode
    do { charge = try daemon.accounts[user.uid].chargePasscode() } catch {
      return client.refuse(.passcodeDelayed, "Too many wrong passcodes; try again later. `signet status` says when.")
    }
    client.phase = .working
    let opening = try client.wait { [daemon, user] in
      old.withPasscode { old in
        dialog.kept.use { present, ticket in daemon.vault.change(to: present, from: old.span, of: user, ticket) }
      } ?? .none
    }
    switch opening {
    case .rewrapped, .opened:
      charge.giveBack()
      dialog.record(.vaultRecovered)
      try client.send(AdministrationReply.done)
    case .failed(.wrongPasscode, _):
      charge.keep()
      dialog.record(.wrongPasscode(count: daemon.accounts[user.uid].standing.wrongPasscodes, isCancelled: false))
      client.refuse(.passcodeFailed, "The old passcode is wrong; nothing was changed. All items are kept.")
    case .failed(_, let explanation):
      charge.giveBack()
      client.refuse(.vaultUnavailable, explanation)
    case .overtaken: client.refuse(.vaultUnavailable, "It was locked in the meantime; try again.")
    case .created, .some(.none): client.refuse(.vaultUnavailable, VaultRecovery.noVault)
    // How long it took may have told that it was wrong.
    case nil: client.refuse(.cancelled, "Cancelled; whether it opens was not waited for.")
    }
  }

  /// `nil` where the client cancelled, or took too long.
  private func askOld() throws(Interruption) -> KeptPasscode? {
    client.phase = .oldPasscode
    try client.send(AdministrationReply.askPasscode(.oldPasscode))
    let deadline = bootMilliseconds() + VaultRecovery.answerLimit
    while true {
      switch try client.wait(until: deadline, heartbeats: false) {
      case .request(.passcode):
        let old = KeptPasscode()
        try client.readSecret { fields throws(WireError) in old.keep(try PasscodeRequest(parsing: fields).passcode) }
        return old
      case .request(.cancel), .deadline: return nil
      case .request, .other, .tick: continue
      }
    }
  }
}
