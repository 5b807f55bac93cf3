import Glibc
import SignetVocabulary

/// A folder of prints as fprintd lays it out, of the test's own.
public final class FprintdFolder {
  private let folder: TemporaryFolder

  public init() throws { folder = try TemporaryFolder() }

  public var path: String { folder.path }

  /// Where fprintd has a finger of a user on a reader, whose identifier is `DRIVER:DEVICE`.
  public func file(_ finger: Finger, of user: String, on reader: String) -> String {
    "\(deviceFolder(of: user, on: reader))/\(String(finger.rawValue, radix: 16))"
  }

  public func deviceFolder(of user: String, on reader: String) -> String {
    "\(path)/\(user)/" + reader.split(separator: ":", maxSplits: 1).joined(separator: "/")
  }

  /// Puts a print there, with the folders above it.
  @discardableResult
  public func put(_ bytes: [UInt8], as finger: Finger, of user: String, on reader: String) throws -> String {
    let file = file(finger, of: user, on: reader)
    makeFolders(of: user, on: reader)
    try RawFile.create(file, bytes)
    return file
  }

  public func makeFolders(of user: String, on reader: String) {
    var made = path
    for name in deviceFolder(of: user, on: reader).dropFirst(path.count).split(separator: "/") {
      made += "/\(name)"
      mkdir(made, 0o700)
    }
  }

  /// Everything in it: each file's and folder's path, owner, mode and times of change, and what is in the file.
  public func everything() throws -> [String] { try everything(in: path) }

  private func everything(in folder: String) throws -> [String] {
    try RawFile.names(in: folder).sorted().flatMap { name in
      var status = stat()
      let path = "\(folder)/\(name)"
      guard lstat(path, &status) == 0 else { throw TestKitError("\(path) is gone") }
      let times = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
      let line = "\(path) \(status.st_ino) \(status.st_uid) \(status.st_mode) \(times)"
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return [line] + (try everything(in: path))
      case S_IFREG: return ["\(line) \(try RawFile.read(path))"]
      default: return [line]
      }
    }
  }
}
