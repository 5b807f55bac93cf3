// SignetDaemon is signetd's uppermost floor: its start (`Start`), its main loop (`Server`), the table of what may be asked and who
// answers it (`Dispatch`), and the answers (`Requests`). Below it, each a target: proving, vaults, readers and passcodes, audit,
// accounts, connections, service. signetd links neither libfprint nor libpam.
import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonPasscodes
import DaemonProving
import DaemonReaders
import DaemonSealing
import DaemonService
import DaemonTokens
import DaemonVaults
import Glibc
import SignetConfiguration
import SignetTokens
import SignetVault
import SignetVocabulary

/// What all connections share, for those who answer requests to be made from.
struct Services: Sendable {
  let prover: Prover
  /// Tells watchers of changes.
  let changes = Changes()
  let sessions: SessionRegistry
  let issuer: Issuer
  let chains: RefreshRegistry
  /// Where fprintd keeps its prints.
  let fprintd: String

  /// Opens the state; `programs` is the folder of signet-reader, signet-passcode and signet-tpm, `tpm` how the TPM is reached,
  /// `lid` where the kernel has the state of the lid, `fprintd` where fprintd keeps its prints, `auditd` what is there while auditd runs.
  init(
    state: String, runtime: String, configuration: Configuration, programs: String, tpm: String, lid: String,
    fprintd: String, auditd: String
  ) throws(StartFailure) {
    self.fprintd = fprintd
    do throws(SystemError) {
      let tpm = TPM(
        program: programs + "/signet-tpm", transport: tpm, isWanted: configuration.usesTPM, pcrs: configuration.pcrMask)
      let store = SharedStore(try AccountStore(path: state, runtimePath: runtime, tpm: tpm))
      Services.beginDeviceKey(store.value.keeper, store)
      let sessions = try SessionRegistry(
        path: runtime, limits: SessionLimits(absolute: configuration.tokenLifetime, idle: configuration.tokenIdle))
      self.sessions = sessions
      issuer = Issuer(store)
      chains = try RefreshRegistry(path: runtime)
      let changes = changes
      let keys = UserKeys(whenChanged: { changes.ring($0) })
      ProtectionNotice.write(keys.protection, in: runtime)
      let accounts = Accounts(
        store: store, limits: configuration.limits, rules: configuration.rules,
        whenLocked: { uid, reason in
          Vault.close(keys, uid, "\(reason)")
          // Also after a restart nothing but the passcode opens it again.
          store.value.destroyDeviceSlot(of: uid)
          sessions.destroySealing(of: uid)
        }, whenChanged: { changes.ring($0) })
      prover = Prover(
        configuration: configuration, store: store, accounts: accounts,
        readers: ReaderStation(
          path: programs + "/signet-reader", arguments: Services.readerArguments(configuration), changes: changes),
        lid: Lid(below: lid),
        passcodes: PasscodeChecker(
          path: programs + "/signet-passcode", service: configuration.passcodeService, confdir: configuration.passcodeConfdir),
        vault: Vault(
          keys: keys, store: store, sessions: sessions, closesWithSession: configuration.vaultClosesWithSession,
          cost: ScryptCost(mebibytes: configuration.vaultPasscodeMemory), afterRestart: configuration.afterRestart,
          // The main loop listens to logind from then on.
          whenOpening: { changes.attention.ring() }),
        audit: AuditTrail(history: try History(path: state), auditd: auditd))
      prover.vault.destroyUnwantedDeviceSlots()
    } catch {
      Log.write(Event.stateUnusable.entry(of: nil, by: nil))
      throw StartFailure(description: error.description)
    }
  }

  /// Made, or asked the TPM for, before anything is to be sealed. Where it cannot be used there is no finger, but there are
  /// passcodes. Where the TPM is to have it, the first passcode makes it, so that it is never on the disk.
  private static func beginDeviceKey(_ keeper: DeviceKeeper, _ store: SharedStore) {
    if keeper.isOfTPM {
      keeper.prepare()
      return store.value.rollbackGuard.prepare()
    }
    do throws(SystemError) { _ = try store.value.deviceKey() } catch { Log.write(.error, error.description) }
  }

  private static func readerArguments(_ configuration: Configuration) -> [String] {
    // Only root can become somebody else; a daemon without root (a demonstration) keeps its reader as itself.
    let staysSelf = configuration.readerUser == "root" || geteuid() != 0
    let user = staysSelf ? [] : ["--user", configuration.readerUser]
    return configuration.virtualReaders.reduce(user) { $0 + ["--virtual-reader", "\($1.kind)=\($1.path)"] }
  }

  /// Whether anybody may have enrolled a finger.
  var hasAccounts: Bool { (try? prover.store.value.uids().isEmpty) != true }

  func tokenRequests(of client: ClientConnection) -> TokenRequests {
    TokenRequests(
      accounts: prover.accounts, vault: prover.vault, audit: prover.audit, sessions: sessions, issuer: issuer, chains: chains,
      standing: prover.passcodes.accounts, client: client)
  }

  func accountRequests(of client: ClientConnection, about user: User) -> AccountRequests {
    AccountRequests(
      store: prover.store, account: prover.accounts[user.uid], vault: prover.vault, audit: prover.audit,
      limits: prover.configuration.limits, rules: prover.configuration.rules, issuer: issuer, client: client, user: user)
  }

  func readerRequests(of client: ClientConnection) -> ReaderRequests {
    ReaderRequests(readers: prover.readers, lid: prover.lid, client: client)
  }

  func sessionRequests(of client: ClientConnection) -> SessionRequests {
    SessionRequests(
      sessions: sessions, vault: prover.vault, audit: prover.audit, standing: prover.passcodes.accounts,
      seat: prover.configuration.readerSeat, client: client)
  }
}
