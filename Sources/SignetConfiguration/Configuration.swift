import Glibc
import SignetAuthentication
import SignetFiles

/// signet.conf(5): `key = value` lines, `#` comments. An unknown key or a bad value is an error that names file and line,
/// and signetd does not start: a lockout that is spelled wrong must not be a lockout that is off.
public struct Configuration: Equatable, Sendable {
  /// A virtual reader of libfprint; for tests and demonstrations, none by default.
  public struct VirtualReader: Equatable, Sendable {
    /// `device`, `storage` or `image`.
    public var kind: String
    /// The socket on which it takes fingers.
    public var path: String
  }

  public var virtualReaders: [VirtualReader] = []
  /// Whom signet-reader runs as where signetd runs as root.
  public var readerUser = "signet"
  /// The PAM service that checks passcodes.
  public var passcodeService = "signet-passcode"
  /// Where that service's file is; empty for the system's.
  public var passcodeConfdir = ""
  public var limits = LockoutLimits()

  public struct Problem: Error, Equatable {
    public var description: String
  }

  public init() {}

  /// Reads a configuration file's text; `path` is for messages.
  public init(parsing text: String, path: String) throws(Problem) {
    var line = 0
    for raw in text.split(separator: "\n", omittingEmptySubsequences: false) {
      line += 1
      let content = trimmed(raw.prefix { $0 != "#" })
      if content.isEmpty { continue }
      guard let equals = content.firstIndex(of: "=") else {
        throw Problem(description: "\(path):\(line): expected `key = value`, found `\(content)`")
      }
      let key = trimmed(content[..<equals])
      let value = trimmed(content[content.index(after: equals)...])
      guard let why = value.isEmpty ? "no value" : set(key, value) else { continue }
      throw Problem(description: "\(path):\(line): \(key): \(why)")
    }
  }

  /// Sets one key; the reason where it cannot.
  private mutating func set(_ key: String, _ value: String) -> String? {
    switch key {
    case "virtual_reader": return addVirtualReader(value)
    case "reader_user": readerUser = value
    case "passcode_service": passcodeService = value
    case "passcode_confdir": passcodeConfdir = value
    case "strikes": return set(\.limits.strikes, value)
    case "misses_per_evaluation": return set(\.limits.missesPerEvaluation, value)
    case "poor_scans": return set(\.limits.poorScansPerEvaluation, value)
    default: return "no such key; see signetd(8)"
    }
    return nil
  }

  private mutating func set(_ field: WritableKeyPath<Configuration, Int>, _ value: String) -> String? {
    guard let number = Int(value), (1...100).contains(number) else { return "expected a number from 1 to 100, found `\(value)`" }
    self[keyPath: field] = number
    return nil
  }

  private mutating func addVirtualReader(_ value: String) -> String? {
    let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, ["device", "storage", "image"].contains(parts[0]), parts[1].hasPrefix("/") else {
      return "expected device:PATH, storage:PATH or image:PATH, found `\(value)`"
    }
    virtualReaders.append(VirtualReader(kind: parts[0], path: parts[1]))
    return nil
  }

  /// Reads the file at `path`; the defaults where `isOptional` and there is none. It must belong to root or to us and be
  /// writable by nobody else.
  public static func read(path: String, isOptional: Bool) throws(Problem) -> Configuration {
    let bytes: [UInt8]?
    do {
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
      bytes = try StateDirectory(path: folder.isEmpty ? "/" : folder, create: false).read(name, limit: 64 * 1024)
    } catch {
      if isOptional, error.code == ENOENT { return Configuration() }
      throw Problem(description: error.description)
    }
    guard let bytes else {
      if isOptional { return Configuration() }
      throw Problem(description: "\(path): no such file")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Problem(description: "\(path): not UTF-8 text") }
    return try Configuration(parsing: text, path: path)
  }
}

private func trimmed(_ text: some StringProtocol) -> String {
  let start = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
  let reversed = start.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }
  return String(String.UnicodeScalarView(String(reversed.reversed()).unicodeScalars))
}
