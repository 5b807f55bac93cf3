import CLinux
import Glibc

/// Reads and writes whole files, as root may.
public enum RawFile {
  /// Read to its end by read(2), so that files of /proc, which have no size, are whole.
  public static func read(_ path: String) throws -> [UInt8] {
    let file = clinux_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { throw TestKitError("\(path): \(clinux_errno())") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count >= 0 else { throw TestKitError("\(path): \(clinux_errno())") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  public static func text(_ path: String) throws -> String { try String(decoding: read(path), as: UTF8.self) }

  /// Over what is there, keeping owner and mode.
  public static func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    let file = clinux_open(path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0)
    guard file >= 0, write(file, bytes, bytes.count) == bytes.count else { throw TestKitError("\(path): \(clinux_errno())") }
    close(file)
  }

  /// A new file, for its owner only.
  public static func create(_ path: String, _ bytes: [UInt8]) throws {
    let file = clinux_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0, write(file, bytes, bytes.count) == bytes.count else { throw TestKitError("\(path): \(clinux_errno())") }
    close(file)
  }

  /// The names in a folder, but for those that begin with a dot.
  public static func names(in path: String) throws -> [String] {
    guard let folder = opendir(path) else { throw TestKitError("\(path): \(clinux_errno())") }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// What a link says.
  public static func target(of path: String) throws -> String {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count > 0 else { throw TestKitError("\(path): \(clinux_errno())") }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
