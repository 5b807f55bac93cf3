// SignetMachine looks at the machine as /proc, /sys, /run and /etc show it, for whoever explains what is in the way. It changes nothing.
import CLinux
import Glibc

/// The files that are looked at. For tests they are in a folder, not at `/`.
package struct Machine: Sendable {
  /// Longer than any file that is looked at.
  package static let limit = 65_536

  /// What stands before each path; empty on a real machine.
  package var root: String
  package var isRoot: Bool
  package var now: UInt64

  package init(
    root: String = "", isRoot: Bool = geteuid() == 0, now: UInt64 = UInt64(max(0, time(nil)))
  ) {
    self.root = root
    self.isRoot = isRoot
    self.now = now
  }

  /// The beginning of a file; `nil` where it cannot be read.
  package func text(_ path: String) -> String? {
    let file = unsafe clinux_open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Machine.limit)
    var count = 0
    while count < bytes.count {
      let more = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress! + count, $0.count - count) }
      guard more > 0 else { break }
      count += more
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// The names in a folder, at most 4096; `nil` where it cannot be read.
  package func names(_ path: String) -> [String]? {
    guard let folder = unsafe opendir(root + path) else { return nil }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while names.count < 4096, let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func exists(_ path: String) -> Bool { status(path) != nil }

  /// Of what a link leads to; `nil` where it is not there or may not be looked at.
  package func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(root + path, &status) == 0 ? status : nil
  }

  /// Where a link leads.
  package func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(root + path, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
