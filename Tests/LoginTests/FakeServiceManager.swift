import CLinux
import Glibc
import SignetTestKit

/// What systemd is to a service: the socket that it notifies, and the descriptors that it keeps for it.
final class FakeServiceManager {
  let path: String
  private let socket: Int32
  /// What is kept, by name.
  private(set) var kept: [String: Int32] = [:]

  init(path: String) throws {
    self.path = path
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0, clinux_bind_unix(socket, path) == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  }

  deinit {
    for descriptor in kept.values { close(descriptor) }
    close(socket)
    unlink(path)
  }

  /// Does what the service says, up to a notification that contains this.
  func await(_ text: String, within limit: Int32 = waitingLimit) throws {
    while true {
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, limit) == 1 else { throw TestKitError("no notification with \(text)") }
      if try take().contains(text) { return }
    }
  }

  private func take() throws -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var passed: Int32 = -1
    let count = clinux_receive_descriptor(socket, &buffer, buffer.count, &passed)
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let name = String(lines.first { $0.hasPrefix("FDNAME=") }?.dropFirst(7) ?? "stored")
    if lines.contains("FDSTORE=1") {
      guard passed >= 0 else { throw TestKitError("nothing to keep: \(text)") }
      // As systemd does: what is kept already is ignored.
      if let old = kept[name] {
        guard inode(old) == inode(passed) else { throw TestKitError("two of one name: \(text)") }
        close(passed)
      } else {
        kept[name] = passed
      }
    }
    if lines.contains("FDSTOREREMOVE=1"), let removed = kept.removeValue(forKey: name) { close(removed) }
    return text
  }

  private func inode(_ descriptor: Int32) -> UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  /// A launcher that starts the service with nothing but this environment.
  func launcher() -> [String] { ["/usr/bin/env", "NOTIFY_SOCKET=\(path)"] }

  /// The same, which hands it the one descriptor that it has as its standard input.
  func launcher(passing name: String) -> [String] {
    launcher() + [
      "/bin/sh", "-c", "exec 3<&0 0</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=\(name); exec \"$@\"", "sh",
    ]
  }
}
