import CLinux
import Glibc
import SignetFiles
import SignetJSON

/// One connection to the agent, or of the agent to one of its askers. Send from one thread at a time.
public struct AgentConnection: ~Copyable, Sendable {
  /// The longest message, in bytes.
  public static let limit = 64 << 10

  /// Why nothing was sent or received.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// errno(3) of the call that failed; 0 where the other side closed.
    case closed(Int32)
    /// What came is not a message of this protocol.
    case malformed
    case silent

    public var description: String {
      switch self {
      case .closed(let code) where code != 0: unsafe String(cString: strerror(code))
      case .closed: "closed"
      case .malformed: "malformed"
      case .silent: "silent"
      }
    }
  }

  private let socket: Descriptor

  public init(_ socket: consuming Descriptor) { self.socket = socket }

  /// For poll(2).
  public var descriptor: Int32 { socket.raw }

  /// Connects to an agent that listens at `path` and is the caller's own.
  public init(path: String) throws(Failure) {
    let raw = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw .closed(errno) }
    let socket = Descriptor(raw)
    guard let (address, length) = AgentSocket.address(path) else { throw .closed(ENAMETOOLONG) }
    let code = unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(raw, $0, length) }
    }
    guard code == 0 else { throw .closed(errno) }
    guard AgentSocket.peer(of: raw) == geteuid() else { throw .closed(EPERM) }
    self.socket = socket
  }

  public func send(_ message: some Encodable) throws(Failure) {
    guard let body = try? JSONValue(encoding: message).encoded, body.count <= AgentConnection.limit else { throw .malformed }
    var bytes = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) }
    bytes += body
    defer { unsafe bytes.withUnsafeMutableBytes { unsafe explicit_bzero($0.baseAddress!, $0.count) } }
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(socket.raw, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .closed(errno) }
      sent += count
    }
  }

  /// The next message; `nil` where the other side has said all. Waits for so many milliseconds at most; -1 for as long as it takes.
  public func receive<Message: Decodable>(_ type: Message.Type, within limit: Int32 = -1) throws(Failure) -> Message? {
    guard let head = try read(4, within: limit) else { return nil }
    let count = head.enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
    guard (1...AgentConnection.limit).contains(count) else { throw .malformed }
    guard var body = try read(count, within: 5_000) else { throw .malformed }
    defer { unsafe body.withUnsafeMutableBytes { unsafe explicit_bzero($0.baseAddress!, $0.count) } }
    guard let message = try? JSONReader.value(body, limit: AgentConnection.limit).decoded(as: type) else { throw .malformed }
    return message
  }

  private func read(_ count: Int, within limit: Int32) throws(Failure) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      var watched = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&watched, 1, limit)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { throw ready == 0 ? .silent : .closed(errno) }
      let got = unsafe bytes.withUnsafeMutableBytes { unsafe recv(socket.raw, $0.baseAddress! + filled, count - filled, 0) }
      if got < 0, errno == EINTR { continue }
      if got == 0, filled == 0 { return nil }
      guard got > 0 else { throw .closed(got < 0 ? errno : 0) }
      filled += got
    }
    return bytes
  }
}
