import CLinux
import CTLSServer
import Foundation
import SignetTestKit
import Synchronization

/// A server on 127.0.0.1 that answers as a test wants, also as no server should. Each connection has a thread.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    let method: String
    let target: String
    let headers: [(String, String)]
    let body: [UInt8]

    func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }
  }

  enum Answer: Sendable {
    case response(Int, [(String, String)] = [], [UInt8] = [])
    /// Bytes as they are, and the end.
    case raw([UInt8])
    /// Nothing at all.
    case silence
    /// A head that promises a body, of which only the first bytes come.
    case half
  }

  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
    let connections = Atomic<Int>(0)
  }

  private let listener: Int32
  private let log = Log()
  private let end = DispatchSemaphore(value: 0)
  let port: Int
  let scheme: String

  var requests: [Request] { log.requests.withLock { $0 } }
  /// How many were accepted.
  var connections: Int { log.connections.load(ordering: .sequentiallyConsistent) }

  /// - Parameter cutsOff: whether it closes each connection at once.
  init(
    _ identity: ServerIdentity? = nil, cutsOff: Bool = false, _ answer: @escaping @Sendable (Request) -> Answer
  ) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw TestKitError("no port") }
    port = Int(UInt16(bigEndian: address.sin_port))
    scheme = identity == nil ? "http" : "https"
    let tls = identity.map { UInt(bitPattern: ctls_identity($0.certificate, $0.key)) }
    guard tls != 0 else { throw TestKitError("no identity") }
    Thread.detachNewThread { [log, end] in
      while case let connection = clinux_accept(listener, Int32(SOCK_CLOEXEC.rawValue)), connection >= 0 {
        log.connections.add(1, ordering: .sequentiallyConsistent)
        if cutsOff {
          close(connection)
          continue
        }
        Thread.detachNewThread {
          Connection(connection, tls: tls.flatMap { UnsafeMutableRawPointer(bitPattern: $0) })?.serve { request in
            log.requests.withLock { $0.append(request) }
            return answer(request)
          }
        }
      }
      close(listener)
      end.signal()
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Nobody listens any more when this returns.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    end.wait()
    end.signal()
  }

  func url(_ path: String) -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }
}

private final class Connection {
  private let socket: Int32
  private let tls: UnsafeMutableRawPointer?
  private var bytes: [UInt8] = []

  init?(_ socket: Int32, tls identity: UnsafeMutableRawPointer?) {
    self.socket = socket
    tls = identity.flatMap { ctls_accept($0, socket) }
    guard identity == nil || tls != nil else { return nil }
  }

  deinit {
    if let tls { ctls_end(tls) }
    close(socket)
  }

  func serve(_ answer: (LoopbackServer.Request) -> LoopbackServer.Answer) {
    while let request = next() {
      switch answer(request) {
      case .silence: break
      case .raw(let bytes): return send(bytes)
      case .half: send(head(200, [("Content-Length", "1000")]) + Array("{".utf8))
      case .response(let status, let headers, let body):
        send(head(status, headers + [("Content-Length", "\(body.count)")]) + (request.method == "HEAD" ? [] : body))
      }
    }
  }

  private func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
    Array(("HTTP/1.1 \(status) x\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n").utf8)
  }

  private func next() -> LoopbackServer.Request? {
    var end: Range<Int>?
    while end == nil {
      end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
      guard end != nil || receive() else { return nil }
    }
    guard let end else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    bytes.removeSubrange(..<end.upperBound)
    let headers = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (String(line[..<colon]), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
    }
    let length = headers.first { $0.0.lowercased() == "content-length" }.flatMap { Int($0.1) } ?? 0
    while bytes.count < length { guard receive() else { return nil } }
    defer { bytes.removeFirst(length) }
    let words = lines[0].components(separatedBy: " ")
    guard words.count == 3 else { return nil }
    return .init(method: words[0], target: words[1], headers: headers, body: Array(bytes.prefix(length)))
  }

  private func receive() -> Bool {
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = tls.map { ctls_read($0, &piece, piece.count) } ?? recv(socket, &piece, piece.count, 0)
    bytes += piece.prefix(max(0, count))
    return count > 0
  }

  private func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { rest in
        tls.map { ctls_write($0, rest.baseAddress!, rest.count) }
          ?? Glibc.send(socket, rest.baseAddress!, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
