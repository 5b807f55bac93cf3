// SignetDaemon is signetd: it listens and decides who may ask what (`Connections`), runs the path of a login (`Login`, whose
// `Login.swift` is to be read first), has the readers (`Readers`), keeps state (`State`), answers the command line
// (`Administration`), has the vaults (`Vault`), and starts signet-reader and signet-passcode (`Processes`). It links neither
// libfprint nor libpam.
import DaemonAccounts
import DaemonConnections
import DaemonReaders
import DaemonService
import Glibc
import SignetBytes
import SignetConfiguration
import SignetFiles
import SignetTokens
import SignetVocabulary
import SignetWire
import Synchronization

/// What all connections share.
package final class Daemon: Sendable {
  let configuration: Configuration
  let store: SharedStore
  let audit: AuditTrail
  let accounts: Accounts
  let sessions: SessionRegistry
  let vault: Vault
  let readers: ReaderStation
  let passcodes = PasscodeQueue()
  /// Where signet-passcode is.
  let passcodePath: String
  let shutdown: Shutdown
  /// The uid as which signet-logind runs, where it may lock users with their sessions.
  let sessionLocker: UInt32?

  /// Opens the state; `programs` is the folder of signet-reader and signet-passcode.
  package init(options: Options, configuration: Configuration, programs: String, shutdown: Shutdown) throws(StartFailure) {
    do throws(SystemError) {
      self.configuration = configuration
      store = SharedStore(try AccountStore(path: options.stateDirectory, runtimePath: options.runtimeDirectory))
      // Made before anything is to be sealed. Where it cannot be used there is no finger, but there are passcodes.
      do throws(SystemError) { _ = try store.value.deviceKey() } catch { Log.write(.error, error.description) }
      let keys = UserKeys()
      accounts = Accounts(
        store: store, limits: configuration.limits, rules: configuration.rules,
        whenLocked: { uid, reason in
          Vault.close(keys, uid, "\(reason)")
        })
      audit = AuditTrail(history: try History(path: options.stateDirectory))
      sessions = try SessionRegistry(path: options.runtimeDirectory)
      vault = Vault(
        keys: keys, store: store, sessions: sessions, closesWithSession: configuration.vaultClosesWithSession)
      readers = ReaderStation(path: programs + "/signet-reader", arguments: Daemon.readerArguments(configuration))
      passcodePath = programs + "/signet-passcode"
      self.shutdown = shutdown
      sessionLocker = configuration.locksWithSession ? User(named: Daemon.sessionLockerName.span)?.uid : nil
    } catch {
      Log.write(Event.stateUnusable.entry(of: nil, by: nil))
      throw StartFailure(description: error.description)
    }
  }

  private static let sessionLockerName = Array("signet-logind".utf8)

  private static func readerArguments(_ configuration: Configuration) -> [String] {
    // Only root can become somebody else; a daemon without root (a demonstration) keeps its reader as itself.
    let staysSelf = configuration.readerUser == "root" || geteuid() != 0
    let user = staysSelf ? [] : ["--user", configuration.readerUser]
    return configuration.virtualReaders.reduce(user) { $0 + ["--virtual-reader", "\($1.kind)=\($1.path)"] }
  }

  /// Whether anybody may have enrolled a finger.
  var hasAccounts: Bool { (try? store.value.uids().isEmpty) != true }

  /// Serves one connection to its end.
  func serve(_ client: ClientConnection) {
    do throws(ClientConnection.Interruption) {
      let kind = try client.firstRequest(within: 2_000)
      switch kind {
      case .authenticate:
        let request = try client.read { fields throws(FormatError) in
          LoginRequest(try AuthenticateRequest(parsing: fields), peer: client.peer)
        }
        try Login.serve(request, for: client, daemon: self)
      case .openSession, .closeSession:
        try SessionRequests(daemon: self, client: client).serve(kind)
      case .enroll, .delete, .list, .status, .readers, .reset, .sessions, .revokeSession, .lock, .history, .suspend,
        .resume:
        let request = try client.read { fields throws(FormatError) in try AdministrationRequest(kind: kind, parsing: fields) }
        try Administration(daemon: self, client: client).serve(request)
      case .vaultAdd, .vaultUpdate, .vaultRead, .vaultDelete, .vaultList, .vaultRecover, .vaultReset:
        let request = try client.read { fields throws(FormatError) in try VaultRequest(kind: kind, parsing: fields) }
        try VaultRequests(daemon: self, client: client).serve(request)
      case .passcodeChanged: try PasscodeChange(daemon: self, client: client).serve()
      case .passcode, .fallback, .cancel, .value: break
      }
    } catch {
      switch error {
      case .misuse(let what):
        Log.write(.warning, "connection ended: \(what)", [("pid", "\(client.peer.pid)"), ("uid", "\(client.peer.uid)")])
      case .denied(let kind): Administration(daemon: self, client: client).recordDenied(kind)
      case .closed, .stopping: break
      }
    }
  }
}

/// Why signetd does not start.
package struct StartFailure: Error {
  package var description: String

  package init(description: String) { self.description = description }
}

/// Passcode checks under way: one a user.
final class PasscodeQueue: Sendable {
  private let busy = Mutex<Set<UInt32>>([])

  /// False where a check of this user's is under way.
  func begin(_ uid: UInt32) -> Bool { busy.withLock { $0.insert(uid).inserted } }

  func end(_ uid: UInt32) { busy.withLock { _ = $0.remove(uid) } }
}
