import CLinux

/// Beside the socket at which systemd lets signetd be asked lies a file that signetd locks while it runs. Whoever is connected and
/// hears nothing sees by it whether signetd is stuck, or is only being started: after a cold boot that takes its time.
extension SocketPath {
  private static var suffix: StaticString { ".lock" }

  /// Whether signetd does not run yet. Where there is no such file nobody starts it.
  package var isOfStartingHelper: Bool {
    var name = InlineArray<120, UInt8>(repeating: 0)
    var span = name.mutableSpan
    var end = 0
    while end < 108, bytes.span[end] != 0 {
      span[end] = bytes.span[end]
      end &+= 1
    }
    guard end < 108 else { return false }
    let suffix = SocketPath.suffix
    var index = 0
    while index < suffix.utf8CodeUnitCount {
      span[end &+ index] = unsafe suffix.utf8Start[index]
      index &+= 1
    }
    let file = unsafe span.withUnsafeBytes { all -> Int32 in
      guard let start = all.baseAddress else { return -1 }
      return unsafe clinux_open(start.assumingMemoryBound(to: CChar.self), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    }
    guard file >= 0 else { return false }
    defer { _ = close(file) }
    return clinux_is_locked(file) == 0
  }
}
