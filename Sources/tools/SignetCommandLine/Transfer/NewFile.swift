import CLinux
import Glibc
import SignetFiles

/// A file of the user's own that is there whole, or as it was before; for nobody else to read until they hand it on.
enum NewFile {
  /// Whether a file is at the path already. What is no file, such as `/dev/null` or a link, is nothing to put a file in the place of:
  /// root could.
  ///
  /// - Parameter words: say of the path and an error why not.
  static func isThere(_ path: String, orSay words: (String, Int32) -> String) throws(CommandFailure) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure(.refused, words(path, EEXIST)) }
    return true
  }

  /// Writes it beside the path, and renames it once it is on disk.
  static func write(
    _ bytes: [UInt8], to path: String, orSay words: (String, Int32) -> String
  ) throws(CommandFailure) {
    _ = try isThere(path, orSay: words)
    var template = Array("\(path).XXXXXX".utf8CString)
    // Its mode is 0600.
    let file = Descriptor(unsafe mkstemp(&template))
    guard file.raw >= 0 else { throw CommandFailure(.refused, words(path, errno)) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file.raw, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      rest = rest.dropFirst(count)
    }
    guard rest.isEmpty, fsync(file.raw) == 0, unsafe rename(template, path) == 0 else {
      let error = errno
      _ = unsafe unlink(template)
      throw CommandFailure(.refused, words(path, error))
    }
  }
}
