import CLinux
import Glibc
import SignetFiles

/// The lid of a laptop, as ACPI's button driver says it in /proc. logind knows it too, from the same button, but only by D-Bus, which
/// has no part in the process that holds the keys. A machine without ACPI has no lid here.
package struct Lid: Sendable {
  /// Where the kernel has a folder for each lid.
  package static let folder = "/proc/acpi/button/lid"

  /// More lids than any machine has.
  private static let most = 16
  /// More than the kernel writes.
  private static let limit = 64

  private let folder: String

  package init(below folder: String = Lid.folder) { self.folder = folder }

  /// Whether a lid is known to be closed; one whose state cannot be read is open.
  package var isClosed: Bool {
    guard let stream = unsafe opendir(folder) else { return false }
    defer { unsafe closedir(stream) }
    var seen = 0
    while seen < Lid.most, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(".") { continue }
      seen += 1
      if Lid.read("\(folder)/\(name)/state").map(Lid.isClosed) == true { return true }
    }
    return false
  }

  /// Whether the kernel's line (`state:      closed`) says so.
  static func isClosed(_ state: [UInt8]) -> Bool {
    let words = state.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n") }
    return words.count == 2 && words[0].elementsEqual("state:".utf8) && words[1].elementsEqual("closed".utf8)
  }

  /// `nil` also for a file that is longer than the kernel's.
  private static func read(_ path: String) -> [UInt8]? {
    // Nothing that stands in its place makes a login wait.
    let descriptor = Descriptor(unsafe clinux_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0))
    guard descriptor.raw >= 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor.raw, $0.baseAddress, $0.count) }
    return count > 0 && count < limit ? Array(buffer[..<count]) : nil
  }
}
