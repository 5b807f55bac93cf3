import CLinux
import Glibc
import SignetFiles
import Synchronization

/// The journal's socket. Nothing here waits: a journal that does not read must not hold up a login.
final class Journal: Sendable {
  static let systemPath = "/run/systemd/journal/socket"

  private struct State: ~Copyable {
    var socket: Descriptor?
    /// Entries that found the journal's queue full, since the last that did not.
    var lost = 0
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  /// Sends an entry; false where nobody listens. One that finds the queue full is dropped, and the next says so.
  func send(_ entry: JournalEntry) -> Bool {
    state.withLock { state in
      switch Journal.deliver(entry.datagram, at: path, &state.socket) {
      case .sent: break
      case .full:
        state.lost += 1
        return true
      case .nobody: return false
      }
      if state.lost > 0 {
        let note = JournalEntry(
          level: .warning, message: "log entries lost: the journal was full", fields: [("count", "\(state.lost)")])
        if case .sent = Journal.deliver(note.datagram, at: path, &state.socket) { state.lost = 0 }
      }
      return true
    }
  }

  private enum Delivery { case sent, full, nobody }

  /// Sends by the socket, or by a new one where its other end was replaced.
  private static func deliver(_ datagram: [UInt8], at path: String, _ socket: inout Descriptor?) -> Delivery {
    for _ in 0..<2 {
      let isNew = socket == nil
      guard let current = socket.take() ?? connected(to: path) else { return .nobody }
      let sent = unsafe datagram.withUnsafeBytes {
        unsafe Glibc.send(current.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      let code = clinux_errno()
      if sent == datagram.count || code == EAGAIN {
        socket = consume current
        return sent == datagram.count ? .sent : .full
      }
      if isNew { return .nobody }
    }
    return .nobody
  }

  private static func connected(to path: String) -> Descriptor? {
    let descriptor = Descriptor(Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    guard descriptor.raw >= 0, unsafe clinux_connect_unix(descriptor.raw, path) == 0 else { return nil }
    return descriptor
  }
}
