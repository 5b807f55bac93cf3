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
  private let quotas = Mutex<[UInt32: HistoryQuota]>([:])

  /// `path` is the state directory, which must be there.
  package init(path: String) throws(SystemError) {
    users = try StateDirectory(path: path + "/users", create: false)
  }

  /// Adds rows to a user's history. A user without a folder never had a finger, and has no history.
  package func append(_ rows: [EventRow], of user: User) throws(SystemError) {
    guard let folder = try folder(of: user.uid) else { return }
    let result: Result<Void, SystemError> = quotas.withLock { quotas in
      var quota = quotas[user.uid] ?? HistoryQuota(latest(in: folder, of: user))
      let admitted = quota.admit(rows)
      quotas[user.uid] = quota
      do throws(SystemError) {
        let bytes = try History.encoded(admitted, of: user)
        if bytes.isEmpty { return .success(()) }
        return .success(try folder.append(bytes, to: History.name, limit: History.fileLimit, older: History.olderName))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// The last few hundred rows: enough for the quota, without much to do for the first login of a new signetd.
  private func latest(in folder: borrowing StateDirectory, of user: User) -> [EventRow] {
    guard let bytes = try? folder.read(History.name, limit: History.fileLimit) else { return [] }
    return HistoryRows.decode(Array(bytes.suffix(History.fileLimit / 4)), uid: user.uid, owner: user.name)
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
        return rows(in: folder, of: user)
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
