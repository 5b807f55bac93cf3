import Glibc
import Synchronization

/// The log as lines, on standard error. Nothing here waits: whoever does not read a pipe, or has stopped a terminal, must not hold up a
/// login.
final class LineLog: Sendable {
  private let descriptor: Int32
  /// Lines that found no room, since the last that did.
  private let lost = Mutex(0)
  /// What a pipe with any room takes at once (`PIPE_BUF` of pipe(7)).
  private static let limit = 4096

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes a line. One that finds no room is dropped, and the next says so.
  func write(_ entry: JournalEntry) {
    lost.withLock { lost in
      guard hasRoom else {
        lost += 1
        return
      }
      put(entry)
      guard lost > 0, hasRoom else { return }
      put(JournalEntry(level: .warning, message: "log entries lost: nobody read them", fields: [("count", "\(lost)")]))
      lost = 0
    }
  }

  private var hasRoom: Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&watched, 1, 0) > 0
  }

  /// By one write(2), so that lines of several processes do not mix.
  private func put(_ entry: JournalEntry) {
    var bytes = entry.line
    if bytes.count > LineLog.limit { bytes = bytes.prefix(LineLog.limit - 1) + [10] }
    _ = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
