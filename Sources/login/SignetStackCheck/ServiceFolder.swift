import CLinux
import Glibc
import SignetLanguage

/// Reads service files. Others write them, so a strange name, a device, a pipe or a huge file must not stop the command.
enum ServiceFolder {
  static let largest = 256 << 10

  /// Whether libpam would look for a service of this name.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < 256 && name != "." && name != ".."
      && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }

  /// The names in a folder, sorted. Those that begin with a full stop are no services, and are left out.
  static func names(_ folder: String) throws(StackError) -> [String] {
    guard let stream = unsafe opendir(folder) else { throw .unreadable(file: folder, cause: clinux_errno()) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix("."), names.count < 10_000 { names.append(name) }
    }
    return names.sorted()
  }

  /// A file's bytes; links are followed, as libpam does.
  static func read(_ path: String) throws(StackError) -> [UInt8] {
    // Opening a pipe must not wait for its writer.
    let file = unsafe clinux_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard file >= 0 else { throw .unreadable(file: path, cause: clinux_errno()) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .unreadable(file: path, cause: clinux_errno()) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(file: path, cause: EINVAL) }
    var bytes = [UInt8](repeating: 0, count: largest + 1)
    var count = 0
    while count < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
      if got < 0, clinux_errno() == EINTR { continue }
      guard got >= 0 else { throw .unreadable(file: path, cause: clinux_errno()) }
      if got == 0 { break }
      count += got
    }
    guard count <= largest else { throw .tooLarge(file: path, what: say("more than \(largest >> 10) KiB")) }
    return Array(bytes[..<count])
  }
}
