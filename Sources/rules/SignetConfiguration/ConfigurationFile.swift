import Glibc
import SignetFiles
import SignetLanguage
import SignetVocabulary

/// signet.conf as a whole: what it sets, and in which lines.
public struct ConfigurationFile: Equatable, Sendable {
  public let path: String
  /// False where the file does not exist, and everything has its default.
  public let exists: Bool
  public let configuration: Configuration
  let locations: KeyLocations

  /// The file's path, unless signetd is told another one.
  public static let defaultPath = "/etc/signet/signet.conf"

  /// The longest file, in bytes.
  public static let limit = 64 * 1024

  /// The lines in which keys are set, numbered from 1.
  struct KeyLocations: Equatable, Sendable {
    struct Location: Hashable, Sendable {
      var key: String
      /// The section in which it stands.
      var service: String?
    }

    var lines: [Location: [Int]] = [:]
    /// Services with a section, in the order of the file.
    var services: [String] = []
  }

  /// Reads a file's text; `path` is for messages.
  public init(parsing bytes: [UInt8], path: String) throws(InvalidConfiguration) {
    guard bytes.count <= ConfigurationFile.limit else {
      throw InvalidConfiguration(path: path, say("it has more than \(ConfigurationFile.limit) bytes"))
    }
    var parser = Parser()
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) { parser.take(line) }
    guard parser.problems.isEmpty else { throw InvalidConfiguration(path: path, problems: parser.problems) }
    self.path = path
    exists = true
    configuration = parser.configuration
    locations = parser.locations
  }

  /// Reads the file at `path`. Where it does not exist and `isOptional` is true, everything has its default.
  ///
  /// File and folder must belong to root or to the user who runs this, and nobody else may be able to write to them.
  public init(path: String, isOptional: Bool) throws(InvalidConfiguration) {
    guard let bytes = try ConfigurationFile.bytes(path, isOptional: isOptional) else {
      self.init(absent: path)
      return
    }
    try self.init(parsing: bytes, path: path)
  }

  private init(absent path: String) {
    self.path = path
    exists = false
    configuration = Configuration()
    locations = KeyLocations()
  }

  /// The file's bytes; `nil` where it does not exist and is optional.
  private static func bytes(_ path: String, isOptional: Bool) throws(InvalidConfiguration) -> [UInt8]? {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    do throws(SystemError) {
      let directory = try StateDirectory(path: folder, create: false, owners: .rootOrSelf)
      if let bytes = try directory.read(name, limit: limit) { return bytes }
    } catch {
      guard error.code == ENOENT else { throw InvalidConfiguration(path: path, ConfigurationFile.words(error)) }
    }
    guard isOptional else { throw InvalidConfiguration(path: path, say("there is no such file")) }
    return nil
  }
}

extension ConfigurationFile {
  /// As the log has it, which goes on from what could not be done.
  private static func words(_ error: SystemError) -> String {
    switch error {
    case .notDirectory(let path): say("use \(path), which is no directory")
    case .notRegularFile(let path): say("use \(path), which is no regular file")
    case .foreignOwner(let path, let uid): say("trust \(path): it belongs to uid \(uid)")
    case .writableByOthers(let path): say("trust \(path): it is writable by others")
    default: error.description
    }
  }
}

extension InvalidConfiguration {
  /// One problem that is about the whole file, not about one of its lines.
  init(path: String, _ message: String) { self.init(path: path, problems: [Problem(line: nil, message: message)]) }
}
