import Glibc
import SignetFiles
import SignetLanguage
import SignetVocabulary

/// signet.conf as a whole, with the files beside it: what it sets, and in which lines.
public struct ConfigurationFile: Equatable, Sendable {
  public let path: String
  /// False where the file does not exist.
  public let exists: Bool
  /// The paths of the files in the folder `path` + `.d`, in the order in which they were read: what a later one sets holds.
  public let dropIns: [String]
  public let configuration: Configuration
  let locations: KeyLocations

  /// The file's path, unless signetd is told another one.
  public static let defaultPath = "/etc/signet/signet.conf"

  /// The longest file, in bytes.
  public static let limit = 64 * 1024

  /// The most files in the folder of drop-ins, those of other names among them.
  public static let mostFilesBeside = 64

  /// The lines in which keys are set.
  struct KeyLocations: Equatable, Sendable {
    struct Origin: Equatable, Sendable {
      var file: String
      /// From 1.
      var line: Int
    }

    struct Location: Hashable, Sendable {
      var key: String
      /// The section in which it stands.
      var service: String?
    }

    var lines: [Location: [Origin]] = [:]
    /// Services with a section, in the order of the files.
    var services: [String] = []
  }

  /// Reads a file's text; `path` is for messages.
  public init(parsing bytes: [UInt8], path: String) throws(InvalidConfiguration) {
    try self.init(parsing: bytes, path: path, [])
  }

  /// Reads the file at `path`, and those in the folder `path` + `.d` whose names end in `.conf`, in the order of their names. Where the
  /// file does not exist and `isOptional` is true, what none of the others sets has its default.
  ///
  /// Files and folders must belong to root or to the user who runs this, and nobody else may be able to write to them.
  public init(path: String, isOptional: Bool) throws(InvalidConfiguration) {
    let bytes = try ConfigurationFile.bytes(path, isOptional: isOptional)
    try self.init(parsing: bytes, path: path, ConfigurationFile.dropIns(of: path))
  }

  /// `bytes`: `nil` where there is no such file.
  private init(parsing bytes: [UInt8]?, path: String, _ dropIns: [(path: String, bytes: [UInt8])]) throws(InvalidConfiguration) {
    var parser = Parser()
    for file in (bytes.map { [(path: path, bytes: $0)] } ?? []) + dropIns {
      guard file.bytes.count <= ConfigurationFile.limit else {
        throw InvalidConfiguration(path: file.path, say("it has more than \(ConfigurationFile.limit) bytes"))
      }
      parser.begin(file: file.path)
      for line in file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) { parser.take(line) }
    }
    guard parser.problems.isEmpty else { throw InvalidConfiguration(path: path, problems: parser.problems) }
    self.path = path
    self.dropIns = dropIns.map(\.path)
    exists = bytes != nil
    configuration = parser.configuration
    locations = parser.locations
  }

  private static func dropIns(of path: String) throws(InvalidConfiguration) -> [(path: String, bytes: [UInt8])] {
    let folder = path + ".d"
    var files: [(path: String, bytes: [UInt8])] = []
    do throws(SystemError) {
      let directory = try StateDirectory(path: folder, create: false, owners: .rootOrSelf)
      for name in try directory.names(atMost: mostFilesBeside) where name.hasSuffix(".conf") {
        guard let bytes = try directory.read(name, limit: limit) else { continue }
        files.append((path: "\(folder)/\(name)", bytes: bytes))
      }
    } catch {
      guard error.code == ENOENT else { throw InvalidConfiguration(path: folder, ConfigurationFile.words(error)) }
    }
    return files
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
  init(path: String, _ message: String) { self.init(path: path, problems: [Problem(file: path, line: nil, message: message)]) }
}
