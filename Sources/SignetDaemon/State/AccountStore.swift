import Glibc
import SignetAuthentication
import SignetDigest
import SignetFiles
import SignetMemory
import SignetWire

/// State on disk, a folder a uid: `users/<uid>/strikes`, which is the whole lockout, and
/// `users/<uid>/<finger>@<reader>.template`.
///
/// Every call goes to the disk, so that what an administrator restores, repairs or removes is seen at the next login.
struct AccountStore: ~Copyable, Sendable {
  private let root: StateDirectory
  private let users: StateDirectory
  /// The latest lockout of each user a second time, in memory: an older file put back on disk is known by it.
  private let latest: StateDirectory

  /// Opens the state directory, makes what is missing, and locks it against a second signetd. `runtimePath` is a folder
  /// that does not outlive this start of the machine.
  init(path: String, runtimePath: String) throws(SystemError) {
    let root = try StateDirectory(path: path, create: true)
    try root.lock()
    let users = try root.directory("users", create: true)
    latest = try StateDirectory(path: runtimePath, create: true).directory("strikes", create: true)
    self.root = root
    self.users = users
  }

  /// What is stored of a user's lockout.
  enum StoredLockout: Equatable {
    case found(LockoutFile)
    /// No file: nobody who is enrolled is without one. With the latest that is known otherwise.
    case missing(path: String, LockoutFile?)
    /// The file is there and cannot be believed. With the latest that is known otherwise.
    case unusable(path: String, why: String, LockoutFile?)
  }

  func lockout(of uid: UInt32) -> StoredLockout {
    let path = "\(users.path)/\(uid)/strikes"
    var known: LockoutFile?
    do {
      known = try latest.read("\(uid)", limit: LockoutFile.limit).map { bytes throws(WireError) in
        try LockoutFile(decoding: bytes, uid: uid)
      }
      guard let bytes = try folder(of: uid)?.read("strikes", limit: LockoutFile.limit) else {
        return .missing(path: path, known)
      }
      let file = try LockoutFile(decoding: bytes, uid: uid)
      guard file.sequence >= known?.sequence ?? 0 else {
        return .unusable(path: path, why: "it is older than what signetd wrote last", known)
      }
      return .found(file)
    } catch let error as SystemError {
      return .unusable(path: path, why: error.description, known)
    } catch {
      return .unusable(path: path, why: "it is torn or was altered", known)
    }
  }

  /// Makes a user's lockout durable: on return file and directory are on disk.
  func write(_ lockout: LockoutFile, of uid: UInt32) throws(SystemError) {
    let bytes = try orTooLong { () throws(WireError) in try lockout.encoded(uid: uid) }
    try users.directory("\(uid)", create: true).replace("strikes", with: bytes)
    try latest.replace("\(uid)", with: bytes, .volatile)
  }

  /// Keeps a user's lockout where the disk takes nothing; there, the file is then known as an older one, which locks.
  func writeVolatile(_ lockout: LockoutFile, of uid: UInt32) throws(SystemError) {
    try latest.replace("\(uid)", with: try orTooLong { () throws(WireError) in try lockout.encoded(uid: uid) }, .volatile)
  }

  /// A user's enrolled fingers, and the files that had to be left out, each with the reason.
  struct Fingers: Sendable {
    var usable: [EnrolledFinger] = []
    var unusable: [String] = []

    var isEmpty: Bool { usable.isEmpty && unusable.isEmpty }
  }

  /// The fingers of a user. Throws only where the folder itself cannot be read; a file that is damaged, or was enrolled by
  /// somebody else who had the uid before, is left out and named.
  func fingers(of user: User) throws(SystemError) -> Fingers { try fingers(of: user.uid, named: user.name) }

  /// The same for whoever has or had the uid, where `owner` is `nil`.
  func fingers(of uid: UInt32, named owner: String?) throws(SystemError) -> Fingers {
    guard let folder = try folder(of: uid) else { return Fingers() }
    var fingers = Fingers()
    for name in try folder.names() where name.hasSuffix(".template") {
      do {
        guard let bytes = try folder.read(name, limit: EnrolledFinger.fileLimit) else { continue }
        let finger = try EnrolledFinger(decoding: bytes, uid: uid)
        guard Self.fileName(finger) == name else { throw WireError.badValue }
        guard owner == nil || finger.owner == owner else {
          fingers.unusable.append(
            "\(folder.path)/\(name): uid \(uid) enrolled it as \(finger.owner); delete all fingers and enroll them again")
          continue
        }
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

  /// Removes template files that cannot be used any more; they have no finger to name them by.
  func removeUnusableFingers(of user: User) throws(SystemError) {
    guard let folder = try folder(of: user.uid) else { return }
    let usable = Set(try fingers(of: user).usable.map(Self.fileName))
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
