import DaemonAccounts
import DaemonConnections
import DaemonService

/// Tells a program how something of its user's stands, at once and after each change, until it says or closes. Between changes neither of
/// the two is woken.
struct StatusWatch {
  let client: ClientConnection
  let account: Account
  /// Begun before the first look, so that no change is missed.
  let watcher: Changes.Watcher

  typealias Interruption = ClientConnection.Interruption

  func run<Status: Equatable>(
    _ look: () throws(Interruption) -> Status, tell: (Status) throws(Interruption) -> Void
  ) throws(Interruption) {
    var told: Status?
    repeat {
      watcher.bell.silence()
      client.phase = .watching
      let status = try look()
      if status != told { try tell(status) }
      told = status
    } while try client.awaitChange(of: watcher.bell.descriptor, within: pause)
  }

  /// Until time alone locks, in milliseconds; -1 where it does not.
  private var pause: Int32 {
    // A second more, so that it has come by then.
    account.secondsToLock.map { Int32(clamping: ($0 + 1) * 1000) } ?? -1
  }
}
