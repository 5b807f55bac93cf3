import Glibc
import SignetFiles
import SignetWire
import Synchronization

/// What happened to each user who has enrolled a finger, in `users/<uid>/history` and, before that, `history.1`: for
/// `signet history`, because users may not read the system's journal, and there may be none.
///
/// It is a record of what was decided, and nothing is decided by it. It is kept as well as it can be: a disk that is full
/// hinders neither a login nor an enrollment, and nobody waits until a row is on the disk.
final class History: Sendable {
  /// The longest file, in bytes: about a thousand events. A file that would grow over it becomes `history.1`.
  static let fileLimit = 128 * 1024
  private static let name = "history"
  private static let olderName = "history.1"

  private let users: StateDirectory
  private let use = Mutex(())

  /// `path` is the state directory, which must be there.
  init(path: String) throws(SystemError) {
    users = try StateDirectory(path: path + "/users", create: false)
  }

  /// Adds rows to a user's history. A user without a folder never had a finger, and has no history.
  func append(_ rows: [EventRow], of user: User) throws(SystemError) {
    var bytes: [UInt8] = []
    do throws(WireError) {
      for row in rows { bytes += try HistoryRows.encode(row, uid: user.uid, owner: user.name) }
    } catch {
      throw SystemError(call: "encode an event of \(user.name)", code: EMSGSIZE)
    }
    guard let folder = try folder(of: user.uid) else { return }
    let result: Result<Void, SystemError> = use.withLock { _ in
      do throws(SystemError) {
        return .success(try folder.append(bytes, to: History.name, limit: History.fileLimit, older: History.olderName))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// A user's rows, oldest first, and why there are no more of them where a file cannot be read.
  struct Rows {
    var rows: [EventRow] = []
    var problem: SystemError?
  }

  func rows(of user: User) -> Rows {
    use.withLock { _ in
      var found = Rows()
      do throws(SystemError) {
        guard let folder = try folder(of: user.uid) else { return found }
        for name in [History.olderName, History.name] { add(name, in: folder, of: user, to: &found) }
      } catch {
        found.problem = error
      }
      return found
    }
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

  private func folder(of uid: UInt32) throws(SystemError) -> StateDirectory? {
    do {
      return try users.directory("\(uid)", create: false)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }
}
