import CLinux
import Glibc
import Synchronization

/// A port of 127.0.0.1 that is listened at. One thread serves it, until `stop`.
final class LoopbackSocket: Sendable {
  /// How long a connection may take for its request.
  private static let requestTimeout = Duration.seconds(10)
  /// How many connections there may be at once: a browser opens some of which it makes no use.
  private static let maximumCount = 16

  let port: Int
  /// `nil` when it is closed.
  private let listener: Mutex<Int32?>

  /// - Parameter port: 0 for any.
  /// - Returns: `nil` where the port cannot be had.
  init?(port: Int) {
    guard let wanted = UInt16(exactly: port) else { return nil }
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard listener >= 0 else { return nil }
    // A fixed port must be good for the next sign-in, too, while the kernel keeps the last one's closed connections.
    var one: Int32 = 1
    _ = unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // Each call is given an address and its length.
    guard unsafe address.withGeneric({ unsafe bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0,
      let own = unsafe sockaddr_in.of(listener, getsockname)
    else {
      close(listener)
      return nil
    }
    self.port = Int(UInt16(bigEndian: own.sin_port))
    self.listener = Mutex(listener)
  }

  deinit { listener.withLock { if let number = $0 { close(number) } } }

  /// Has `serve` end. The port is free when it has.
  func stop() { listener.withLock { if let number = $0 { shutdown(number, Int32(SHUT_RDWR)) } } }

  private struct Connection {
    let connection: Int32
    let deadline: ContinuousClock.Instant
    var bytes: [UInt8] = []
  }

  /// Answers one request of each connection, and closes it. A body is nobody's business here.
  func serve(_ answer: (LoopbackRequest) -> LoopbackListener.Reply) {
    guard let listener = listener.withLock({ $0 }) else { return }
    var connections: [Connection] = []
    defer {
      for visitor in connections { close(visitor.connection) }
      self.listener.withLock { $0 = nil }
      close(listener)
    }
    while true {
      var waiting = ([listener] + connections.map(\.connection)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // The array is as long as said.
      let count = unsafe poll(
        &waiting, nfds_t(waiting.count), LoopbackSocket.milliseconds(until: connections.map(\.deadline).min()))
      guard count >= 0 || clinux_errno() == EINTR else { return }
      let stays = zip(connections.indices, waiting.dropFirst()).filter { index, news in
        let isOver = news.revents != 0 ? hasFinished(&connections[index], answer) : connections[index].deadline <= .now
        if isOver { close(connections[index].connection) }
        return !isOver
      }
      connections = stays.map { connections[$0.0] }
      guard waiting[0].revents & ~Int16(POLLIN) == 0 else { return }
      if waiting[0].revents != 0, let visitor = accept(listener) {
        if connections.count == LoopbackSocket.maximumCount { close(connections.removeFirst().connection) }
        connections.append(visitor)
      }
    }
  }

  /// Closes a connection of another user's process before anything of it is read.
  private func accept(_ listener: Int32) -> Connection? {
    let connection = clinux_accept(listener, Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue))
    guard connection >= 0 else { return nil }
    // It is given an address and its length.
    guard let near = unsafe sockaddr_in.of(connection, getpeername), near.sin_addr.s_addr == UInt32(0x7F00_0001).bigEndian,
      LoopbackPeer.isOwn(Int(UInt16(bigEndian: near.sin_port)), to: port)
    else {
      close(connection)
      return nil
    }
    return Connection(connection: connection, deadline: .now + LoopbackSocket.requestTimeout)
  }

  /// Reads what there is; true where nothing more is to be read.
  private func hasFinished(_ visitor: inout Connection, _ answer: (LoopbackRequest) -> LoopbackListener.Reply) -> Bool {
    var piece = [UInt8](repeating: 0, count: LoopbackRequest.limit)
    // The array is as long as said.
    let count = unsafe recv(visitor.connection, &piece, piece.count, 0)
    guard count > 0 else { return count == 0 || (clinux_errno() != EAGAIN && clinux_errno() != EINTR) }
    visitor.bytes += piece.prefix(count)
    guard let end = LoopbackRequest.end(of: visitor.bytes) else { return visitor.bytes.count >= LoopbackRequest.limit }
    if let request = LoopbackRequest(head: visitor.bytes[..<end]) {
      // A new connection's buffer takes it whole.
      let bytes = answer(request).bytes
      _ = unsafe send(visitor.connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      shutdown(visitor.connection, Int32(SHUT_WR))
    }
    return true
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    return Int32(max(0, (deadline - .now) / .milliseconds(1)) + 1)
  }
}

extension sockaddr_in {
  /// As the calls of sockets take it.
  fileprivate mutating func withGeneric<Value>(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Value) -> Value {
    // All addresses begin alike, and the call is told how long this one is.
    unsafe withUnsafeMutableBytes(of: &self) {
      unsafe body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
  }

  /// One end of a connection, by getsockname(2) or getpeername(2).
  fileprivate static func of(
    _ socket: Int32, _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> sockaddr_in? {
    var address = sockaddr_in()
    let code = unsafe address.withGeneric { pointer, length in
      var length = length
      return unsafe call(socket, pointer, &length)
    }
    return code == 0 && address.sin_family == sa_family_t(AF_INET) ? address : nil
  }
}
