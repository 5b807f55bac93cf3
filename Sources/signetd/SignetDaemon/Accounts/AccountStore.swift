import DaemonSealing
import DaemonService
import Glibc
import SignetAuthentication
import SignetBytes
import SignetDigest
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary

/// State on disk, one folder for each uid: `users/<uid>/strikes`, which is the whole lockout, and
/// `users/<uid>/<finger>@<reader>.template`, sealed under the device key (see `Templates.swift`).
///
/// Every call goes to the disk, so that what an administrator restores, repairs or removes is seen at the next login.
package struct AccountStore: ~Copyable, Sendable {
  package let root: StateDirectory
  package let users: StateDirectory
  /// Has the device key.
  package let keeper: DeviceKeeper
  /// Have each user's newest state, where there is a TPM.
  package let rollbackGuard: RollbackGuard
  /// A second copy of each user's latest lockout, in a folder in memory. It shows when an older file was put back on disk.
  private let latest: StateDirectory

  /// Opens the state directory, makes what is missing, and locks it against a second signetd. `runtimePath` is a folder
  /// that does not outlive this start of the machine.
  package init(path: String, runtimePath: String, tpm: TPM? = nil) throws(SystemError) {
    let root = try StateDirectory(path: path, create: true)
    try root.lock()
    let users = try root.directory("users", create: true)
    let keeper = try DeviceKeeper(path: path, tpm: tpm)
    let rollbackGuard = try RollbackGuard(path: path, runtimePath: runtimePath, keeper: keeper)
    latest = try StateDirectory(path: runtimePath, create: true).directory("strikes", create: true)
    self.keeper = keeper
    self.rollbackGuard = rollbackGuard
    self.root = root
    self.users = users
  }

  /// What is stored of a user's lockout.
  package enum StoredLockout: Equatable {
    case found(LockoutFile)
    /// There is no file, though every enrolled user has one. The second value is the latest state known from elsewhere.
    case missing(path: String, LockoutFile?)
    /// The file cannot be believed. The second value is the latest state known from elsewhere.
    case unusable(SystemError, LockoutFile?)
  }

  func strikesPath(of uid: UInt32) -> String { "\(users.path)/\(uid)/strikes" }

  package func lockout(of uid: UInt32) -> StoredLockout {
    let path = strikesPath(of: uid)
    var known: LockoutFile?
    do {
      known = try latest.read("\(uid)", limit: LockoutFile.limit).map { bytes throws(FormatError) in
        try LockoutFile(decoding: bytes, uid: uid)
      }
      guard let bytes = try folder(of: uid)?.read("strikes", limit: LockoutFile.limit) else {
        return .missing(path: path, known)
      }
      let file = try LockoutFile(decoding: bytes, uid: uid)
      guard file.sequence >= known?.sequence ?? 0 else {
        return .unusable(.strikesOlder(path), known)
      }
      return .found(file)
    } catch let error as SystemError {
      return .unusable(.strikesUnreadable(error), known)
    } catch {
      return .unusable(.strikesTorn(path), known)
    }
  }

  /// Makes a user's lockout durable: on return it is on disk. Nearly always it is as long as the one before.
  package func write(_ lockout: LockoutFile, of uid: UInt32) throws(SystemError) {
    let bytes = try orTooLong { () throws(FormatError) in try lockout.encoded(uid: uid) }
    let folder = try users.directory("\(uid)", create: true)
    if !folder.overwrite("strikes", with: bytes) { try folder.replace("strikes", with: bytes) }
    try latest.replace("\(uid)", with: bytes, .volatile)
  }

  /// Keeps a user's lockout in memory where the disk cannot be written. The file on disk then counts as an older copy, which
  /// locks.
  func writeVolatile(_ lockout: LockoutFile, of uid: UInt32) throws(SystemError) {
    try latest.replace("\(uid)", with: try orTooLong { () throws(FormatError) in try lockout.encoded(uid: uid) }, .volatile)
  }

  /// A user's enrolled fingers, and why others had to be left out.
  package struct Fingers: Sendable {
    package var usable: [EnrolledFinger] = []
    package var unusable: [SystemError] = []

    package var isEmpty: Bool { usable.isEmpty && unusable.isEmpty }
  }

  /// The fingers of a user, whose templates nobody has opened yet. Throws only where the folder itself cannot be read; a
  /// file that is damaged, or was enrolled by somebody else who had the uid before, is left out and named.
  package func fingers(of user: User) throws(SystemError) -> Fingers { try fingers(of: user.uid, named: user.name) }

  /// The same for whoever has or had the uid, where `owner` is `nil`.
  package func fingers(of uid: UInt32, named owner: String?) throws(SystemError) -> Fingers {
    guard let folder = try folder(of: uid) else { return Fingers() }
    var fingers = Fingers()
    for name in try folder.names() where name.hasSuffix(".template") {
      do throws(SystemError) {
        guard let finger = try finger(in: name, folder, uid, owner) else { continue }
        fingers.usable.append(finger)
      } catch {
        fingers.unusable.append(error)
      }
    }
    fingers.usable.sort { $0.finger < $1.finger }
    return fingers
  }

  /// One of them; throws where it is not to be used.
  private func finger(
    in name: String, _ folder: borrowing StateDirectory, _ uid: UInt32, _ owner: String?
  ) throws(SystemError) -> EnrolledFinger? {
    guard let bytes = try folder.read(name, limit: EnrolledFinger.fileLimit) else { return nil }
    let path = "\(folder.path)/\(name)"
    let finger: EnrolledFinger
    do throws(FormatError) { finger = try EnrolledFinger(decoding: bytes, uid: uid) } catch {
      throw error == .wrongVersion ? SystemError.templateVersion(path) : .templateTorn(path)
    }
    guard Self.fileName(finger) == name else { throw .templateMisplaced(path) }
    guard owner == nil || finger.owner == owner else { throw .templateOfOther(path, uid: uid, owner: finger.owner) }
    return finger
  }

  /// Keeps a finger, replacing one of the same name on the same reader.
  package func write(_ finger: EnrolledFinger) throws(SystemError) {
    let folder = try users.directory("\(finger.uid)", create: true)
    let bytes = try orTooLong { () throws(FormatError) in try finger.encoded() }
    try folder.replace(Self.fileName(finger), with: bytes)
  }

  package func remove(_ finger: EnrolledFinger) throws(SystemError) {
    try folder(of: finger.uid)?.remove(Self.fileName(finger))
  }

  /// Removes template files that cannot be used any more; they have no finger to name them by.
  package func removeUnusableFingers(of user: User) throws(SystemError) {
    guard let folder = try folder(of: user.uid) else { return }
    let usable = Set(try fingers(of: user).usable.map(Self.fileName))
    for name in try folder.names() where name.hasSuffix(".template") && !usable.contains(name) { try folder.remove(name) }
  }

  /// The uids that have a folder.
  package func uids() throws(SystemError) -> [UInt32] { try users.names().compactMap { UInt32($0) } }

  package func folder(of uid: UInt32) throws(SystemError) -> StateDirectory? { try users.existingDirectory("\(uid)") }

  /// One file for each finger and reader. A reader's identifier may hold any character, so the name has its digest.
  static func fileName(_ finger: EnrolledFinger) -> String {
    let digest = SHA256.hash(Array(finger.reader.utf8).span).prefix(8)
    return "\(finger.finger.name)@\(digest.hexadecimal).template"
  }

  func orTooLong(_ encode: () throws(FormatError) -> [UInt8]) throws(SystemError) -> [UInt8] {
    do { return try encode() } catch { throw SystemError.call(.encode, "a record", code: EMSGSIZE) }
  }
}

/// The store as something that several objects may hold.
package final class SharedStore: Sendable {
  package let value: AccountStore

  package init(_ value: consuming AccountStore) {
    self.value = value
    self.value.rollbackGuard.useFingers { [weak self] uid in self?.value.fingerMark(of: uid) ?? [] }
  }
}
