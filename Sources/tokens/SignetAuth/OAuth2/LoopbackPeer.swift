import Glibc

/// Whose process is at the other end of a connection on the loopback, as the kernel has it (proc(5), `/proc/net/tcp`): other users can
/// connect there as well.
enum LoopbackPeer {
  /// Whether a process of this one's user connected, from this port of 127.0.0.1. Of one that has gone already nothing is known.
  static func isOwn(_ port: Int, to listener: Int) -> Bool {
    let (near, far) = (address(port), address(listener))
    // A socket of IPv6 may speak IPv4.
    let mapped = "0000000000000000" + digits(UInt32(0xFFFF).bigEndian)
    return isOwn("/proc/self/net/tcp", near, far) || isOwn("/proc/self/net/tcp6", mapped + near, mapped + far)
  }

  /// A row has the socket's own address, the other one, a state, three fields, the uid, one more, and the inode: 0 where no process has
  /// it any more, whatever the uid says then.
  private static func isOwn(_ table: String, _ near: String, _ far: String) -> Bool {
    bytes(of: table).split(separator: UInt8(ascii: "\n")).contains { row in
      let fields = row.split(separator: UInt8(ascii: " "), maxSplits: 10)
      func has(_ text: String, at index: Int) -> Bool { fields[index].elementsEqual(text.utf8) }
      return fields.count > 9 && has(near, at: 1) && has(far, at: 2) && has("\(geteuid())", at: 7) && !has("0", at: 9)
    }
  }

  private static func address(_ port: Int) -> String {
    digits(UInt32(0x7F00_0001).bigEndian) + ":" + digits(UInt32(port)).suffix(4)
  }

  /// As printf's `%08X`.
  private static func digits(_ number: UInt32) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }

  /// Files of /proc have no size: they are read to their end.
  private static func bytes(of path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(file, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk.prefix(count)
    }
  }
}
