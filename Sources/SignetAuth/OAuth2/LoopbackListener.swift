import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Waits on 127.0.0.1 for the browser's answer (RFC 8252, 7.3).
///
/// The browser is opened on a page of this listener's, under a path that nobody can guess, which leads it to the provider and
/// leaves a cookie with it. So the provider's URL stands in no process list, and an answer from another browser than that one
/// is refused. Other users' processes are not let in at all.
final class LoopbackListener: Sendable {
  /// How a request is answered.
  enum Reply: Equatable, Sendable {
    case redirect(to: String, cookie: String)
    case done
    case refused
  }

  private let channel: any Channel
  private let exchange: LoopbackExchange
  private let port: Int

  /// - Parameter port: 0 for any.
  /// - Throws: `AuthError.oauth2` with `noBrowser` where the port cannot be had.
  init(port: Int, host: String) async throws(AuthError) {
    let exchange = LoopbackExchange()
    do {
      channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.backlog, value: 8)
        // A fixed port must be good for the next sign-in, too, while the kernel keeps the last one's closed connections.
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(OwnersDoor())
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
            try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(10)))
            try pipeline.addHandler(LoopbackHandler(exchange))
          }
        }
        .bind(host: "127.0.0.1", port: port).get()
    } catch { throw .oauth2(host: host, .noBrowser) }
    self.exchange = exchange
    self.port = channel.localAddress?.port ?? port
  }

  deinit { channel.close(promise: nil) }

  var redirect: String { "http://127.0.0.1:\(port)\(LoopbackExchange.answerPath)" }

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - target: where the browser is led.
  ///   - accept: whether a request's fields are the answer: `nil` where they are not, and another one is waited for.
  /// - Returns: what to open the browser with.
  func begin(leadingTo target: String, accept: @escaping @Sendable ([String: String]) -> Bool) -> String {
    "http://127.0.0.1:\(port)" + exchange.begin(authority: "127.0.0.1:\(port)", target: target, accept: accept)
  }

  /// The fields of the answer.
  ///
  /// - Throws: `CancellationError`.
  func answer() async throws -> [String: String] { try await exchange.answer() }

  /// Returns when the port is free again.
  func close() async { try? await channel.close() }
}
