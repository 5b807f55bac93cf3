import CLinux
import Glibc
import SignetVocabulary
import SignetWords

/// One client of the ssh agent, from its first question to its end. A process of its own has it, so that one that asks for a finger
/// keeps no other waiting.
struct SSHAgentClient {
  let socket: Int32
  /// Where signetd listens.
  let helper: String

  /// Answers until the client goes, or says what is no message.
  func serve() {
    while let head = read(4), let count = SSHAgentRequest.length(head), (1...SSHAgentRequest.limit).contains(count),
      let message = read(count), write(answer(SSHAgentRequest(message[...])).bytes)
    {}
  }

  private func answer(_ request: SSHAgentRequest) -> SSHAgentReply {
    switch request {
    case .identities: return .identities(keys.map { ($0.key, $0.shown) })
    case .sign(let blob, let data):
      guard let key = keys.first(where: { $0.key.sshBlob == blob }),
        let signature = try? OwnKeys.sign(
          data, with: key.name, reason: KeyUseText.signing(key.shown, for: program), at: helper)
      else { return .failure }
      return .signature(signature)
    case .other: return .failure
    }
  }

  /// Those that a server may be shown: a site's key must not sign for another.
  private var keys: [OwnKeys.Key] { ((try? OwnKeys.all(at: helper)) ?? []).filter { !$0.name.isPasskey } }

  /// What the kernel says of who asks.
  private var program: String {
    var (pid, uid, gid) = (pid_t(0), uid_t(0), gid_t(0))
    guard unsafe clinux_peer(socket, &pid, &uid, &gid) == 0 else { return "?" }
    let path = CommandPath.executable(of: pid)
    return path.isEmpty ? "?" : CommandPath.shown(path)
  }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(socket, buffer.baseAddress?.advanced(by: filled), count - filled)
      }
      guard more > 0 || (more < 0 && errno == EINTR) else { return nil }
      filled += max(more, 0)
    }
    return bytes
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe send(socket, bytes.baseAddress, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
      }
      guard count > 0 || (count < 0 && errno == EINTR) else { return false }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }
}
