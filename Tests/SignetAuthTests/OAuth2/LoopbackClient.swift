import CLinux
import Glibc
import SignetTestKit

/// A connection to a port of 127.0.0.1.
final class LoopbackClient {
  private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)

  init(port: Int) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard code == 0 else { throw TestKitError("no connection to port \(port)") }
  }

  deinit { close(socket) }

  /// What comes until the other end closes.
  func exchange(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(socket, &piece, piece.count, 0), count > 0 { answer += piece.prefix(count) }
    return answer
  }
}
