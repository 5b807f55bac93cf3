import CLinux
import Glibc
import SignetFiles

/// Tells systemd something (sd_notify(3)), and gives it a descriptor to keep; nothing where it does not listen.
package func notify(_ state: String, with passed: Int32? = nil) {
  guard let path = unsafe getenv("NOTIFY_SOCKET") else { return }
  let socket = Descriptor(Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
  guard socket.raw >= 0, unsafe clinux_connect_unix(socket.raw, path) == 0 else { return }
  let bytes = Array(state.utf8)
  unsafe bytes.withUnsafeBytes { bytes in
    if let passed {
      _ = unsafe clinux_send_descriptor(socket.raw, bytes.baseAddress!, bytes.count, passed)
    } else {
      _ = unsafe send(socket.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }
}
