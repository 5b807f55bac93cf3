import CLinux
import Glibc

/// A file that the user names, for the program that they run as themselves: links are followed, and whose it is does not matter.
public enum NamedFile {
  /// Its contents; `nil` where it cannot be read, is no regular file, or has more than `limit` bytes.
  public static func contents(_ path: String, limit: Int) -> [UInt8]? {
    // O_NONBLOCK: nobody waits for what a FIFO may say some day.
    let file = Descriptor(unsafe clinux_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0))
    var status = stat()
    guard file.raw >= 0, unsafe fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      return nil
    }
    // One more than its size says whether it has grown.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file.raw, $0.baseAddress, $0.count) }
    guard count == bytes.count - 1 else { return nil }
    return bytes.dropLast()
  }
}
