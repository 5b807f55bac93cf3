import DaemonAccounts
import DaemonConnections
import DaemonPasscodes
import DaemonProving
import DaemonService
import DaemonVaults
import SignetBytes
import SignetVocabulary
import SignetWire

/// Tells a program which opening of its user's vault this is, at once and after each change: what an earlier one released is to be
/// forgotten. It is a watch like `BiometryWatch`, and has nothing to do with readers.
struct OpeningWatch {
  private let account: Account
  private let vault: Vault
  private let unlocks: RecentUnlocks
  private let accounts: AccountStanding
  private let client: ClientConnection
  private let user: User

  typealias Interruption = ClientConnection.Interruption

  /// Answers a `watchVault` request.
  static func serve(_ client: ClientConnection, _ prover: Prover, _ changes: Changes) throws(Interruption) {
    try client.read { fields throws(FormatError) in _ = try WatchVaultRequest(parsing: fields) }
    guard let user = AccountAccess(audit: prover.audit, client: client).permitted("", .watchVault) else { return }
    // Before the first look, so that no change is missed.
    guard let watcher = changes.watch(user.uid) else { return client.turnAway() }
    let account = prover.accounts[user.uid]
    let watch = OpeningWatch(
      account: account, vault: prover.vault, unlocks: prover.unlocks, accounts: prover.passcodes.accounts, client: client,
      user: user)
    try StatusWatch(client: client, account: account, watcher: watcher).run(watch.status, tell: watch.tell)
  }

  private struct Status: Equatable {
    var opening: UInt64
    var unlock: UInt64
    var domainState: [UInt8]
  }

  /// A program that does not read any more is not waited for.
  private func tell(_ status: Status) throws(Interruption) {
    try client.send { packet throws(FormatError) in
      try OpeningRow(status.opening, unlock: status.unlock, domainState: status.domainState.span).write(into: &packet)
    }
  }

  private func status() throws(Interruption) -> Status {
    // To a program whose user's account is not open, the vault is not either.
    let isLocked = try accounts.obstacle(of: user, for: client) != nil || account.status.lock != .none
    return Status(
      opening: isLocked ? 0 : vault.keys.opening(user.uid, isOpening: vault.isOpening(user.uid)),
      unlock: unlocks.number(of: user.uid),
      domainState: vault.domainState(of: user))
  }
}
