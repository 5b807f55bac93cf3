import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server on 127.0.0.1 that answers as a test wants, also as no server should.
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

  private let channel: any Channel
  private let log: Log
  let port: Int
  let scheme: String

  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
  }

  var requests: [Request] { log.requests.withLock { $0 } }

  init(_ identity: ServerIdentity? = nil, _ answer: @escaping @Sendable (Request) -> Answer) throws {
    let log = Log()
    let tls = try identity.map { identity in
      let chain = try NIOSSLCertificate.fromPEMFile(identity.certificate).map { NIOSSLCertificateSource.certificate($0) }
      let key = try NIOSSLPrivateKey(file: identity.key, format: .pem)
      return try NIOSSLContext(
        configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }
    channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
          try channel.pipeline.syncOperations.addHandler(
            Handler { request in
              log.requests.withLock { $0.append(request) }
              return answer(request)
            })
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    self.log = log
    port = channel.localAddress?.port ?? 0
    scheme = identity == nil ? "http" : "https"
  }

  deinit { channel.close(promise: nil) }

  /// Nobody listens any more when this returns.
  func stop() async throws { try await channel.close() }

  func url(_ path: String) -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: @Sendable (Request) -> Answer
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ answer: @escaping @Sendable (Request) -> Answer) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        self.head = head
        body = []
      case .body(let part): body += part.readableBytesView
      case .end:
        guard let head else { return }
        let headers = head.headers.map { ($0.name, $0.value) }
        send(answer(Request(method: head.method.rawValue, target: head.uri, headers: headers, body: body)), context)
      }
    }

    private func send(_ answer: Answer, _ context: ChannelHandlerContext) {
      switch answer {
      case .silence: return
      case .raw(let bytes):
        // Around the encoder: straight to TLS or the socket.
        guard let encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self) else { return }
        let channel = context.channel
        encoder.writeAndFlush(NIOAny(context.channel.allocator.buffer(bytes: bytes))).whenComplete { _ in
          channel.close(promise: nil)
        }
      case .half:
        write(200, [("Content-Length", "1000")], context)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{")))), promise: nil)
      case .response(let status, let headers, let body):
        write(status, headers + [("Content-Length", "\(body.count)")], context)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      }
    }

    private func write(_ status: Int, _ headers: [(String, String)], _ context: ChannelHandlerContext) {
      let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: HTTPHeaders(headers))
      context.write(wrapOutboundOut(.head(head)), promise: nil)
    }
  }
}
