// SignetFiles reads and replaces files that decide something: everything in their place is hostile until it was checked.
import CLinux
import Glibc
import SignetVocabulary

/// One directory of state: small files read whole and replaced whole. Everything in it is hostile input: links, devices,
/// FIFOs, foreign owners and oversized files are refused before a byte is read.
public struct StateDirectory: ~Copyable, Sendable {
  /// Whose files are believed.
  public enum Owners: Sendable {
    /// Those of who runs this: state of our own.
    case ourselves
    /// Those of root too: what an administrator wrote.
    case rootOrSelf

    fileprivate func include(_ uid: uid_t) -> Bool { uid == geteuid() || self == .rootOrSelf && uid == 0 }
  }

  private let descriptor: Descriptor
  private let owners: Owners
  /// Where it is.
  public let path: String

  /// Opens it, or with `create` makes it (mode 0700) where it is missing, durably.
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

  /// A directory below, opened or (with `create`) made.
  public func directory(_ name: String, create: Bool) throws(SystemError) -> StateDirectory {
    let isNew = create ? unsafe mkdirat(descriptor.raw, name, 0o700) == 0 : false
    let below = try StateDirectory(path: path + "/" + name, create: false, owners: owners)
    if isNew { try sync() }
    return below
  }

  /// A directory below; `nil` where there is none.
  public func existingDirectory(_ name: String) throws(SystemError) -> StateDirectory? {
    do {
      return try directory(name, create: false)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  /// The names in it, hidden and temporary ones left out, sorted.
  public func names() throws(SystemError) -> [String] { try allNames().filter { !$0.hasPrefix(".") }.sorted() }

  /// Removes what replacements left that a crash cut off. None may be under way.
  public func removeUnfinished() throws(SystemError) {
    for name in try allNames() where name.hasPrefix(".") && name.hasSuffix(".new") { try remove(name) }
  }

  private func allNames() throws(SystemError) -> [String] {
    let copy = openat(descriptor.raw)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else { throw .last(.read, path) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// The contents of a file of at most `limit` bytes; `nil` where it does not exist.
  public func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8]? {
    let file = "\(path)/\(name)"
    // O_NONBLOCK: a FIFO put in the file's place must not hold up a login.
    let raw = unsafe clinux_openat(descriptor.raw, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    if raw < 0, clinux_errno() == ENOENT { return nil }
    guard raw >= 0 else { throw .last(.open, file) }
    let descriptor = Descriptor(raw)
    let size = try StateDirectory.check(descriptor.raw, file, kind: S_IFREG, owners)
    guard size <= limit else { throw SystemError.call(.read, file, code: EFBIG) }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor.raw, $0.baseAddress, size) }
    guard count == size else { throw SystemError.call(.read, file, code: count < 0 ? clinux_errno() : EIO) }
    return bytes
  }

  /// What a replaced file is to outlive.
  public enum Durability: Sendable {
    /// A power cut.
    case durable
    /// The end of the program, not of the machine.
    case volatile
  }

  /// Replaces a file: after a crash at any point the old or the new contents are there, whole. Returns, where it is to be
  /// durable, when file and directory are on disk.
  public func replace(
    _ name: String, with bytes: [UInt8], _ durability: Durability = .durable
  ) throws(SystemError) {
    let temporary = "." + name + ".new"
    do throws(SystemError) { try write(bytes, to: temporary, durability) } catch {
      // On a full disk it would keep the space that it did get.
      _ = unsafe unlinkat(descriptor.raw, temporary, 0)
      throw error
    }
    guard unsafe renameat(descriptor.raw, temporary, descriptor.raw, name) == 0 else {
      throw .last(.rename, "\(path)/\(temporary)")
    }
    if durability == .durable { try sync() }
  }

  private func write(_ bytes: [UInt8], to name: String, _ durability: Durability) throws(SystemError) {
    let raw = unsafe clinux_openat(descriptor.raw, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw .last(.create, "\(path)/\(name)") }
    let file = Descriptor(raw)
    let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file.raw, $0.baseAddress, bytes.count) }
    guard written == bytes.count else {
      throw SystemError.call(.write, "\(path)/\(name)", code: written < 0 ? clinux_errno() : ENOSPC)
    }
    guard durability == .volatile || fsync(file.raw) == 0 else { throw .last(.sync, "\(path)/\(name)") }
  }

  /// Adds to the end of a file, which is made where it is missing. A file that would grow over `limit` bytes is renamed to
  /// `older` first, in the place of what has that name. Nothing is synced; a write that fails leaves the file as it was.
  public func append(_ bytes: [UInt8], to name: String, limit: Int, older: String) throws(SystemError) {
    let file = try openToAppend(name)
    let size = try StateDirectory.check(file.raw, "\(path)/\(name)", kind: S_IFREG, owners)
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

  /// Removes a file, durably; one that is not there is fine.
  public func remove(_ name: String) throws(SystemError) {
    guard unsafe unlinkat(descriptor.raw, name, 0) == 0 || clinux_errno() == ENOENT else {
      throw .last(.remove, "\(path)/\(name)")
    }
    try sync()
  }

  /// Holds an exclusive lock on the directory for as long as the value lives; a second daemon on it is refused.
  public func lock() throws(SystemError) {
    guard flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 else { throw .last(.lock, path) }
  }

  /// Gives the lock up at once. Without this it goes only with the last copy of the descriptor, and a program that another
  /// thread is starting at this moment has one until it runs.
  public func unlock() { _ = flock(descriptor.raw, LOCK_UN) }

  private func sync() throws(SystemError) {
    guard fsync(descriptor.raw) == 0 else { throw .last(.sync, path) }
  }

  private func openat(_ directory: Int32) -> Int32 {
    unsafe clinux_openat(directory, ".", O_DIRECTORY | O_RDONLY | O_CLOEXEC, 0)
  }

  /// Refuses what is not of this kind, not of these owners, or writable by others; returns its size.
  @discardableResult
  private static func check(
    _ descriptor: Int32, _ path: String, kind: mode_t, _ owners: Owners
  ) throws(SystemError) -> Int {
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
    return Int(status.st_size)
  }
}
