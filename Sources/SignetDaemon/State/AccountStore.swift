import Glibc
import SignetDigest
import SignetFiles
import SignetMemory
import SignetWire

/// State on disk, a folder a uid: `users/<uid>/strikes` and `users/<uid>/<finger>@<reader>.template`.
///
/// Every call goes to the disk, so that what an administrator restores, repairs or removes is seen at the next login.
struct AccountStore: ~Copyable, Sendable {
  private let root: StateDirectory
  private let users: StateDirectory

  /// Opens the state directory, makes what is missing, and locks it against a second signetd.
  init(path: String) throws(SystemError) {
    let root = try StateDirectory(path: path, create: true)
    try root.lock()
    let users = try root.directory("users", create: true)
    self.root = root
    self.users = users
  }

  /// What the strikes file of a user says.
  enum StoredStrikes: Equatable {
    case strikes(Int)
    /// No file: nobody who is enrolled is without one.
    case missing(path: String)
    /// The file is there and cannot be believed.
    case unusable(path: String, why: String)
  }

  func strikes(of uid: UInt32) -> StoredStrikes {
    let path = "\(users.path)/\(uid)/strikes"
    do {
      guard let folder = try folder(of: uid), let bytes = try folder.read("strikes", limit: 256) else {
        return .missing(path: path)
      }
      return .strikes(Int(try Record.decode(.strikes, uid: uid, bytes, Self.count)))
    } catch let error as SystemError {
      return .unusable(path: path, why: error.description)
    } catch {
      return .unusable(path: path, why: "it is torn or was altered")
    }
  }

  /// Makes the strikes of a user durable: on return file and directory are on disk.
  func write(strikes: Int, of uid: UInt32) throws(SystemError) {
    let folder = try users.directory("\(uid)", create: true)
    let bytes = try orTooLong { () throws(WireError) in
      try Record.encode(.strikes, uid: uid, limit: 256) { packet throws(WireError) in
        try packet.put(UInt8(clamping: strikes))
      }
    }
    try folder.replace("strikes", with: bytes)
  }

  /// A user's enrolled fingers, and the files that had to be left out, each with the reason.
  struct Fingers: Sendable {
    var usable: [EnrolledFinger] = []
    var unusable: [String] = []

    var isEmpty: Bool { usable.isEmpty && unusable.isEmpty }
  }

  /// Throws only where the folder itself cannot be read; a damaged file is left out and named.
  func fingers(of uid: UInt32) throws(SystemError) -> Fingers {
    guard let folder = try folder(of: uid) else { return Fingers() }
    var fingers = Fingers()
    for name in try folder.names() where name.hasSuffix(".template") {
      do {
        guard let bytes = try folder.read(name, limit: EnrolledFinger.fileLimit) else { continue }
        let finger = try EnrolledFinger(decoding: bytes, uid: uid)
        guard Self.fileName(finger) == name else { throw WireError.badValue }
        fingers.usable.append(finger)
      } catch let error as SystemError {
        fingers.unusable.append(error.description)
      } catch {
        fingers.unusable.append("\(folder.path)/\(name): it is torn or was altered; delete and enroll the finger again")
      }
    }
    fingers.usable.sort { $0.finger < $1.finger }
    return fingers
  }

  /// Keeps a finger, replacing one of the same name on the same reader.
  func write(_ finger: EnrolledFinger, of uid: UInt32) throws(SystemError) {
    let folder = try users.directory("\(uid)", create: true)
    let bytes = try orTooLong { () throws(WireError) in try finger.encoded(uid: uid) }
    try folder.replace(Self.fileName(finger), with: bytes)
  }

  func remove(_ finger: EnrolledFinger, of uid: UInt32) throws(SystemError) {
    try folder(of: uid)?.remove(Self.fileName(finger))
  }

  /// Removes template files that cannot be read any more; they have no finger to name them by.
  func removeUnusableFingers(of uid: UInt32) throws(SystemError) {
    guard let folder = try folder(of: uid) else { return }
    let usable = Set(try fingers(of: uid).usable.map(Self.fileName))
    for name in try folder.names() where name.hasSuffix(".template") && !usable.contains(name) { try folder.remove(name) }
  }

  /// The uids that have a folder.
  func uids() throws(SystemError) -> [UInt32] { try users.names().compactMap { UInt32($0) } }

  private func folder(of uid: UInt32) throws(SystemError) -> StateDirectory? {
    do {
      return try users.directory("\(uid)", create: false)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  @_lifetime(reader: copy reader)
  private static func count(_ reader: inout WireReader) throws(WireError) -> UInt8 { try reader.byte() }

  /// One file a finger and reader; a reader's identifier may hold any character, its digest does not.
  private static func fileName(_ finger: EnrolledFinger) -> String {
    let digits = SHA256.hash(Array(finger.reader.utf8).span).prefix(8).map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0" + text : text
    }
    return "\(finger.finger.name)@\(digits.joined()).template"
  }

  private func orTooLong(_ encode: () throws(WireError) -> [UInt8]) throws(SystemError) -> [UInt8] {
    do { return try encode() } catch { throw SystemError(call: "encode a record", code: EMSGSIZE) }
  }
}
