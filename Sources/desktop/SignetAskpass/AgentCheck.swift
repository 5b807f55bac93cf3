import CLinux
import Glibc
import SignetMemory
import SignetPinentry

/// Asks gpg-agent whether this is the passphrase of a key, by its own protocol (its command `PASSWD --verify`, which reads the key
/// with what it is given, whatever it has in its cache).
struct AgentCheck: ~Copyable {
  private let socket: Int32
  private var line: AssuanLine
  private var data: SecretBytes

  static func check(_ value: borrowing SecretBytes, keygrip: String) -> PassphraseCheck {
    // It becomes a word of a command.
    guard keygrip.utf8.count == 40, keygrip.allSatisfy({ $0.isHexDigit && $0.isASCII }), let path = socketPath() else {
      return .unknown
    }
    do throws(AssuanError) {
      var check = try AgentCheck(path)
      return try check.ask(value, keygrip)
    } catch { return .unknown }
  }

  private init(_ path: String) throws(AssuanError) {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw .exhausted }
    let line = try AssuanLine()
    guard let data = SecretBytes(capacity: 3 * AssuanLimit.data), unsafe clinux_connect_unix(socket, path) == 0 else {
      close(socket)
      throw .ended
    }
    self.socket = socket
    self.line = line
    self.data = data
  }

  deinit { close(socket) }

  private mutating func ask(_ value: borrowing SecretBytes, _ keygrip: String) throws(AssuanError) -> PassphraseCheck {
    guard try next() == .ok else { return .unknown }
    // The answer comes from here and not from its pinentry.
    try say("OPTION pinentry-mode=loopback")
    guard try next() == .ok else { return .unknown }
    try say("PASSWD --verify \(keygrip)")
    var isAsked = false
    while true {
      switch try next() {
      case .inquiry where !isAsked:
        isAsked = true
        try say(value)
      case .ok: return isAsked ? .right : .unknown
      // GPG_ERR_BAD_PASSPHRASE
      case .error(let number): return number & 0xFFFF == 11 ? .wrong : .unknown
      case .note, .data: continue
      case .inquiry: return .unknown
      }
    }
  }

  private mutating func next() throws(AssuanError) -> AssuanReply {
    line.clear()
    while true {
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      guard unsafe poll(&ready, 1, 10_000) == 1, unsafe recv(socket, &byte, 1, 0) == 1 else { throw .ended }
      if try line.take(byte) {
        data.removeAll()
        return try AssuanReply(in: line, data: &data)
      }
    }
  }

  private mutating func say(_ value: borrowing SecretBytes) throws(AssuanError) {
    data.removeAll()
    for byte in "D ".utf8 { _ = data.append(byte) }
    try AssuanText.escape(value.span, into: &data)
    guard data.count <= AssuanLimit.line else { throw .tooLong }
    try send(data.span)
    data.removeAll()
    try say("\nEND")
  }

  private func say(_ text: String) throws(AssuanError) { try send(Array((text + "\n").utf8).span) }

  private func send(_ bytes: Span<UInt8>) throws(AssuanError) {
    let sent = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == bytes.count else { throw .ended }
  }

  /// Where the agent of the user's keys listens, as gpgconf(1) says it.
  private static func socketPath() -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe clinux_pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let home = ["HOME", "GNUPGHOME"].compactMap { name in Variables.value(name).map { "\(name)=\($0)" } }
    let status = PassphraseCheck.run(
      ["/usr/bin/gpgconf", "--list-dirs", "agent-socket"], ["PATH=/usr/bin:/bin"] + home, passing: -1, output: ends[1])
    close(ends[1])
    guard status == 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(ends[0], &bytes, bytes.count)
    guard count > 1 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
