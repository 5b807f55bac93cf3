import Glibc
import SignetFiles
import SignetJSON
import SignetVocabulary
import Synchronization

/// What is known of a binding without opening it. No secret is in it.
struct BindingRecord: Codable, Equatable, Sendable {
  var issuer: String
  /// The user's own name for it.
  var account: String
  var clientID: String
  var scopes: [String]
  /// Who signed in, as the provider calls them; empty where it names nobody.
  var user: String
  /// In seconds since 1970.
  var bound: Double
  /// The public half of the key by which this device proves itself (`BindingKey`); `nil` where the provider takes none.
  var deviceKey: String?
  /// The port that the browser's answer comes to; 0 for any.
  var redirectPort = 0
  /// It is unbound here, and the provider has to be told yet.
  var isLeaving = false
}

/// The bindings' records, in a file of the user's state (XDG Base Directory Specification).
///
/// One agent has them at a time: of two that have the same refresh tokens each would use up what the other one needs.
final class BindingRecords: Sendable {
  private static let name = "bindings.json"
  private static let lock = "bindings.lock"
  private static let limit = 1 << 20
  private let path: String
  /// Held for as long as the process lives.
  private let claim = Mutex<Int32?>(nil)

  /// - Parameter path: the folder. It is made when there is something to write: most users never bind anything.
  init(path: String) { self.path = path }

  func read() throws(SystemError) -> [BindingRecord] {
    guard unsafe access(path, F_OK) == 0 else { return [] }
    try claimFolder()
    let folder = try StateDirectory(path: path, create: false)
    guard let bytes = try folder.read(BindingRecords.name, limit: BindingRecords.limit) else { return [] }
    guard let records = try? JSONReader.value(bytes, limit: BindingRecords.limit).decoded(as: [BindingRecord].self) else {
      throw .call(.read, "\(folder.path)/\(BindingRecords.name)", code: EBADMSG)
    }
    return records
  }

  func write(_ records: [BindingRecord]) throws(SystemError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      _ = unsafe mkdir(made, 0o700)
    }
    try claimFolder()
    let folder = try StateDirectory(path: path, create: true)
    guard let rows = try? records.map({ try JSONValue(encoding: $0).encoded }) else {
      throw .call(.encode, "\(folder.path)/\(BindingRecords.name)", code: EINVAL)
    }
    // A line for each, for people who look.
    let lines = Array("[\n".utf8) + rows.joined(separator: Array(",\n".utf8)) + Array("\n]\n".utf8)
    try folder.replace(BindingRecords.name, with: lines)
  }

  private func claimFolder() throws(SystemError) {
    let file = "\(path)/\(BindingRecords.lock)"
    try claim.withLock { claim throws(SystemError) in
      guard claim == nil else { return }
      let lock = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard lock >= 0 else { throw .last(.open, file) }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        let error = SystemError.last(.lock, file)
        close(lock)
        throw error
      }
      claim = lock
    }
  }
}
