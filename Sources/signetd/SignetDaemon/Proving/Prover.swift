// DaemonProving finds out who a user is: by finger where that is possible (`Scan`), and by passcode (`PasscodeDialog`).
// Read `Authentication` first. What the evidence is used for is decided on the floor above.
import DaemonAccounts
import DaemonAudit
import DaemonPasscodes
import DaemonReaders
import DaemonService
import DaemonVaults
import SignetConfiguration

/// What proving needs; one for all requests. Who proves nothing is not given it.
package struct Prover: Sendable {
  package let configuration: Configuration
  package let store: SharedStore
  package let accounts: Accounts
  package let readers: ReaderStation
  package let lid: LidPolicy
  package let passcodes: PasscodeChecker
  package let vault: Vault
  package let audit: AuditTrail
  /// Who unlocked a screen at the seat by finger.
  package let unlocks = RecentUnlocks()
  package let awaited = AwaitedPasscodes()

  package init(
    configuration: Configuration, store: SharedStore, accounts: Accounts, readers: ReaderStation, lid: Lid,
    passcodes: PasscodeChecker, vault: Vault, audit: AuditTrail
  ) {
    self.configuration = configuration
    self.store = store
    self.accounts = accounts
    self.readers = readers
    self.lid = LidPolicy(rule: configuration.lid, lid: lid)
    self.passcodes = passcodes
    self.vault = vault
    self.audit = audit
  }
}
