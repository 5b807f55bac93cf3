import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetVocabulary
import SignetWire
import Synchronization

/// What happened to each user who has enrolled a finger, in `users/<uid>/history` and, before that, `history.1`: for
/// `signet history`, because users may not read the system's journal, and there may be none.
///
/// It is a record of what was decided, and nothing is decided by it. It is kept as well as it can be: a disk that is full
/// hinders neither a login nor an enrollment, and nobody waits until a row is on the disk.
package final class History: Sendable {
  /// The longest file, in bytes: about a thousand events. A file that would grow over it becomes `history.1`.
  static let fileLimit = 128 * 1024
  private static let name = "history"
  private static let olderName = "history.1"

  private let users: StateDirectory
  /// Locked while a file is in use.
  private let quotas = Mutex<[User: HistoryQuota]>([:])

  /// `path` is the state directory, which must be there.
  package init(path: String) throws(SystemError) {
    users = try StateDirectory(path: path + "/users", create: false)
  }

  /// Adds rows to a user's history. A user without a folder never had a finger, and has no history.
  package func append(_ rows: [EventRow], of user: User) throws(SystemError) {
    guard let folder = try folder(of: user.uid) else { return }
    try quotas.withLock { quotas throws(SystemError) in
      // All that is in the files: whoever could have the quota begin anew could push out what it keeps.
      var quota = quotas[user] ?? HistoryQuota(owner: user.uid, self.rows(in: folder, of: user).rows)
      let admitted = quota.admit(rows)
      quotas[user] = quota
      try write(admitted, to: folder, of: user)
    }
  }

  /// Writes how many events have no row of their own, before signetd ends and forgets it.
  package func close() {
    quotas.withLock { quotas in
      for (user, quota) in quotas {
        var quota = quota
        let counts = quota.close()
        quotas[user] = quota
        do throws(SystemError) {
          if !counts.isEmpty, let folder = try folder(of: user.uid) { try write(counts, to: folder, of: user) }
        } catch {
          Log.write(.error, "the history of \(user.name) is not kept: \(error.description)")
        }
      }
    }
  }

  private func write(_ rows: [EventRow], to folder: borrowing StateDirectory, of user: User) throws(SystemError) {
    let bytes = try History.encoded(rows, of: user)
    if bytes.isEmpty { return }
    try folder.append(bytes, to: History.name, limit: History.fileLimit, older: History.olderName)
  }

  private static func encoded(_ rows: [EventRow], of user: User) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(FormatError) {
      for row in rows { bytes += try HistoryRows.encode(row, uid: user.uid, owner: user.name) }
    } catch {
      throw .call(.encode, "an event of \(user.name)", code: EMSGSIZE)
    }
    return bytes
  }

  /// A user's rows, oldest first, and why there are no more of them where a file cannot be read.
  package struct Rows {
    package var rows: [EventRow] = []
    package var problem: SystemError?
  }

  package func rows(of user: User) -> Rows {
    quotas.withLock { _ in
      do throws(SystemError) {
        guard let folder = try folder(of: user.uid) else { return Rows() }
        var found = rows(in: folder, of: user)
        found.rows = found.rows.withoutOlderCounts
        return found
      } catch {
        return Rows(problem: error)
      }
    }
  }

  private func rows(in folder: borrowing StateDirectory, of user: User) -> Rows {
    var found = Rows()
    for name in [History.olderName, History.name] { add(name, in: folder, of: user, to: &found) }
    return found
  }

  /// One file that cannot be read does not hide the other.
  private func add(_ name: String, in folder: borrowing StateDirectory, of user: User, to found: inout Rows) {
    do throws(SystemError) {
      guard let bytes = try folder.read(name, limit: History.fileLimit) else { return }
      found.rows += HistoryRows.decode(bytes, uid: user.uid, owner: user.name)
    } catch {
      found.problem = error
    }
  }

  private func folder(of uid: UInt32) throws(SystemError) -> StateDirectory? { try users.existingDirectory("\(uid)") }
}
