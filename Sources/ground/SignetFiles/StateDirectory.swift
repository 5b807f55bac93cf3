// SignetFiles reads and replaces files on which a decision depends. Whatever stands in their place is hostile until checked.
import CLinux
import Glibc
import SignetVocabulary

/// One directory of small files, which are read and replaced as a whole. Links, devices, FIFOs, files of other users and files
/// that are too large are refused before a byte of them is read.
public struct StateDirectory: ~Copyable, Sendable {
  /// Whose files are trusted.
  public enum Owners: Sendable {
    /// Files of the user who runs this, for state that the program writes itself.
    case ourselves
    /// Files of root as well, for what an administrator writes.
    case rootOrSelf

    fileprivate func include(_ uid: uid_t) -> Bool { uid == geteuid() || self == .rootOrSelf && uid == 0 }
  }

  private let descriptor: Descriptor
  private let owners: Owners
  /// Its path.
  public let path: String

  /// Opens it. Where it is missing and `create` is true, it is made with mode 0700.
  public init(path: String, create: Bool, owners: Owners = .ourselves) throws(SystemError) {
    if create, unsafe mkdir(path, 0o700) != 0, clinux_errno() != EEXIST { throw .last(.makeDirectory, path) }
    let raw = unsafe clinux_open(path, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0)
    guard raw >= 0 else { throw .last(.open, path) }
    let descriptor = Descriptor(raw)
    try StateDirectory.check(raw, path, kind: S_IFDIR, owners)
    self.owners = owners
    self.descriptor = descriptor
    self.path = path
  }

  /// A directory inside this one. Where it is missing and `create` is true, it is made, durably.
  public func directory(_ name: String, create: Bool) throws(SystemError) -> StateDirectory {
    let isNew = create ? unsafe mkdirat(descriptor.raw, name, 0o700) == 0 : false
    let below = try StateDirectory(path: path + "/" + name, create: false, owners: owners)
    if isNew { try sync() }
    return below
  }

  /// A directory inside this one; `nil` where it does not exist.
  public func existingDirectory(_ name: String) throws(SystemError) -> StateDirectory? {
    do {
      return try directory(name, create: false)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  /// A directory inside this one, which is made where it does not exist: for what is there nearly always.
  public func existingOrNewDirectory(_ name: String) throws(SystemError) -> StateDirectory {
    switch try existingDirectory(name) {
    case .some(let directory): return directory
    case .none: return try directory(name, create: true)
    }
  }

  /// The names in it, sorted, without hidden and temporary files.
  public func names() throws(SystemError) -> [String] { try allNames().filter { !$0.hasPrefix(".") }.sorted() }

  /// The same where nobody promised that there are few: with more than `limit` of all kinds it fails.
  public func names(atMost limit: Int) throws(SystemError) -> [String] {
    // Every directory names itself and the one above it.
    let names = try allNames(upTo: limit + 3)
    guard names.count <= limit + 2 else { throw .call(.read, path, code: EFBIG) }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Removes temporary files of replacements that a crash interrupted. No replacement may be under way.
  public func removeUnfinished() throws(SystemError) {
    for name in try allNames() where name.hasPrefix(".") && name.hasSuffix(".new") { try remove(name) }
  }

  private func allNames(upTo limit: Int = .max) throws(SystemError) -> [String] {
    let copy = openat(descriptor.raw)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else { throw .last(.read, path) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// A file's stamp, without opening or checking the file; `nil` where it does not exist.
  public func stamp(_ name: String) throws(SystemError) -> FileStamp? {
    var status = stat()
    guard unsafe fstatat(descriptor.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if clinux_errno() == ENOENT { return nil }
      throw .last(.stat, "\(path)/\(name)")
    }
    return FileStamp(status)
  }

  /// The contents of a file of at most `limit` bytes; `nil` where it does not exist.
  public func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8]? {
    try readStamped(name, limit: limit)?.bytes
  }

  /// The same, with the stamp that the file had before its contents were read.
  public func readStamped(_ name: String, limit: Int) throws(SystemError) -> (bytes: [UInt8], stamp: FileStamp)? {
    let file = "\(path)/\(name)"
    // O_NONBLOCK: a FIFO in the file's place must not hold up a login.
    let raw = unsafe clinux_openat(descriptor.raw, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    if raw < 0, clinux_errno() == ENOENT { return nil }
    guard raw >= 0 else { throw .last(.open, file) }
    let descriptor = Descriptor(raw)
    let stamp = try StateDirectory.check(descriptor.raw, file, kind: S_IFREG, owners)
    let size = stamp.size
    guard size <= limit else { throw SystemError.call(.read, file, code: EFBIG) }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor.raw, $0.baseAddress, size) }
    guard count == size else { throw SystemError.call(.read, file, code: count < 0 ? clinux_errno() : EIO) }
    return (bytes, stamp)
  }

  /// What the new contents of a file must survive.
  public enum Durability: Sendable {
    /// A power cut.
    case durable
    /// The end of the program, not of the machine.
    case volatile
  }

  /// Replaces a file. After a crash at any point either the old contents are there or the new ones, complete. With `.durable`
  /// this returns once file and directory are on disk.
  public func replace(
    _ name: String, with bytes: [UInt8], _ durability: Durability = .durable
  ) throws(SystemError) {
    let contents = try prepare(bytes, for: name)
    do throws(SystemError) {
      if durability == .durable { try contents.sync() }
    } catch {
      discard(name)
      throw error
    }
    try putInPlace(name)
    if durability == .durable { try sync() }
  }

  /// What every disk writes whole or not at all.
  public static let sector = 512

  /// Puts new contents of the same length in the place of a file's old ones, with one flush where `replace` needs three. After a
  /// crash the old contents are there or the new ones, because they lie in one sector: a longer file is left alone. False where nothing was
  /// done, or not for certain; `replace` mends that.
  public func overwrite(_ name: String, with bytes: [UInt8]) -> Bool {
    // O_NONBLOCK: as in `readStamped`.
    let raw = unsafe clinux_openat(descriptor.raw, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard raw >= 0 else { return false }
    let file = Descriptor(raw)
    let stamp = try? StateDirectory.check(file.raw, "\(path)/\(name)", kind: S_IFREG, owners)
    guard stamp?.size == bytes.count, bytes.count <= StateDirectory.sector else { return false }
    let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(file.raw, $0.baseAddress, bytes.count, 0) }
    return written == bytes.count && fdatasync(file.raw) == 0
  }

  /// Writes the new contents of a file beside it: the first part of `replace`, for those who replace several files at once. They
  /// sync what is returned, and then call `putInPlace` or `discard`.
  public func prepare(_ bytes: [UInt8], for name: String) throws(SystemError) -> WrittenFile {
    try create(StateDirectory.temporary(name), bytes)
  }

  /// Puts what was prepared in the file's place. If it was not synced before, a power cut can leave an empty file; and until the
  /// directory is synced, the old file can come back.
  public func putInPlace(_ name: String) throws(SystemError) {
    let temporary = StateDirectory.temporary(name)
    guard unsafe renameat(descriptor.raw, temporary, descriptor.raw, name) == 0 else {
      throw .last(.rename, "\(path)/\(temporary)")
    }
  }

  /// Removes what was prepared for a file. On a full disk it would take up what space is left.
  public func discard(_ name: String) { _ = unsafe unlinkat(descriptor.raw, StateDirectory.temporary(name), 0) }

  private static func temporary(_ name: String) -> String { "." + name + ".new" }

  /// Writes a file whose name nobody reads yet. Neither it nor its name is on disk before it and the directory are synced.
  public func create(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> WrittenFile {
    let path = "\(path)/\(name)"
    let raw = unsafe clinux_openat(descriptor.raw, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw .last(.create, path) }
    let file = WrittenFile(descriptor: Descriptor(raw), path: path)
    let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(raw, $0.baseAddress, bytes.count) }
    guard written == bytes.count else {
      let error = SystemError.call(.write, path, code: written < 0 ? clinux_errno() : ENOSPC)
      _ = unsafe unlinkat(descriptor.raw, name, 0)
      throw error
    }
    return file
  }

  /// Adds to the end of a file, which is made if it is missing. A file that would grow beyond `limit` bytes is renamed to
  /// `older` first, replacing a file of that name. Nothing is synced; a write that fails leaves the file as it was.
  public func append(_ bytes: [UInt8], to name: String, limit: Int, older: String) throws(SystemError) {
    let file = try openToAppend(name)
    let size = try StateDirectory.check(file.raw, "\(path)/\(name)", kind: S_IFREG, owners).size
    if size > 0, size + bytes.count > limit {
      guard unsafe renameat(descriptor.raw, name, descriptor.raw, older) == 0 else {
        throw .last(.rename, "\(path)/\(name)")
      }
      return try append(bytes, to: name, limit: limit, older: older)
    }
    let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file.raw, $0.baseAddress, bytes.count) }
    guard written != bytes.count else { return }
    let failure = SystemError.call(.write, "\(path)/\(name)", code: written < 0 ? clinux_errno() : ENOSPC)
    if written > 0 { _ = ftruncate(file.raw, size) }
    throw failure
  }

  private func openToAppend(_ name: String) throws(SystemError) -> Descriptor {
    // O_NONBLOCK: as in `read`.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let raw = unsafe clinux_openat(descriptor.raw, name, flags, 0o600)
    guard raw >= 0 else { throw .last(.open, "\(path)/\(name)") }
    return Descriptor(raw)
  }

  /// Removes a file durably. It is no error if the file does not exist.
  public func remove(_ name: String) throws(SystemError) {
    guard unsafe unlinkat(descriptor.raw, name, 0) == 0 || clinux_errno() == ENOENT else {
      throw .last(.remove, "\(path)/\(name)")
    }
    try sync()
  }

  /// Overwrites a file before it is removed, so that a disk which writes in place keeps nothing of it.
  public func destroy(_ name: String) throws(SystemError) {
    let raw = unsafe clinux_openat(descriptor.raw, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    if raw >= 0 {
      let file = Descriptor(raw)
      let size = try StateDirectory.check(file.raw, "\(path)/\(name)", kind: S_IFREG, owners).size
      let zeros = [UInt8](repeating: 0, count: min(size, 4096))
      let written = unsafe zeros.withUnsafeBytes { unsafe Glibc.write(file.raw, $0.baseAddress, $0.count) }
      guard written == zeros.count, fsync(file.raw) == 0 else { throw .last(.write, "\(path)/\(name)") }
    }
    try remove(name)
  }

  /// Takes an exclusive lock on the directory for as long as the value lives. It fails where another process has it, such as a
  /// second signetd. One that was killed has left it, within half a second, to nobody: a program that it was starting at that moment has a
  /// copy of the descriptor until its exec.
  public func lock() throws(SystemError) {
    var rounds = 50
    while flock(descriptor.raw, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK, rounds > 0 else { throw .last(.lock, path) }
      rounds -= 1
      // flock(2) waits for ever or not at all.
      _ = poll(nil, 0, 10)
    }
  }

  /// Gives the lock up at once. Closing the descriptor is not enough: a program that another thread is starting at this moment
  /// has a copy of the descriptor until its exec, and the lock goes with the last copy.
  public func unlock() { _ = flock(descriptor.raw, LOCK_UN) }

  /// Returns once the names in it are on disk.
  public func sync() throws(SystemError) {
    guard fsync(descriptor.raw) == 0 else { throw .last(.sync, path) }
  }

  private func openat(_ directory: Int32) -> Int32 {
    unsafe clinux_openat(directory, ".", O_DIRECTORY | O_RDONLY | O_CLOEXEC, 0)
  }

  /// Fails unless the file is of this kind, belongs to one of these owners and cannot be written by others. Returns its stamp.
  @discardableResult
  private static func check(
    _ descriptor: Int32, _ path: String, kind: mode_t, _ owners: Owners
  ) throws(SystemError) -> FileStamp {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last(.stat, path) }
    guard status.st_mode & S_IFMT == kind else {
      throw kind == S_IFDIR ? SystemError.notDirectory(path) : .notRegularFile(path)
    }
    guard owners.include(status.st_uid) else {
      throw .foreignOwner(path, uid: status.st_uid)
    }
    guard status.st_mode & 0o022 == 0 else {
      throw .writableByOthers(path)
    }
    return FileStamp(status)
  }
}
