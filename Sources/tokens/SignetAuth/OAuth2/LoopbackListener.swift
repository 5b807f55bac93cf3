import Dispatch

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

  private let socket: LoopbackSocket
  private let exchange: LoopbackExchange
  /// One of a thread of its own.
  private let queue = DispatchQueue(label: "signet.SignetAuth.listener")

  /// - Parameter port: 0 for any.
  /// - Throws: `AuthError.oauth2` with `portTaken` where the port cannot be had.
  init(port: Int, host: String) throws(AuthError) {
    guard let socket = LoopbackSocket(port: port) else { throw .oauth2(host: host, .portTaken(port)) }
    let exchange = LoopbackExchange()
    self.socket = socket
    self.exchange = exchange
    queue.async { socket.serve(exchange.reply(to:)) }
  }

  deinit { socket.stop() }

  var redirect: String { "http://127.0.0.1:\(socket.port)\(LoopbackExchange.answerPath)" }

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - target: where the browser is led.
  ///   - accept: whether a request's fields are the answer: `nil` where they are not, and another one is waited for.
  /// - Returns: what to open the browser with.
  func begin(leadingTo target: String, accept: @escaping @Sendable ([String: String]) -> Bool) -> String {
    let authority = "127.0.0.1:\(socket.port)"
    return "http://" + authority + exchange.begin(authority: authority, target: target, accept: accept)
  }

  /// Takes an answer that came another way.
  func take(_ fields: [String: String]) { exchange.take(fields) }

  /// The fields of the answer.
  ///
  /// - Throws: `CancellationError`.
  func answer() async throws -> [String: String] { try await exchange.answer() }

  /// Returns when the port is free again.
  func close() async {
    socket.stop()
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
