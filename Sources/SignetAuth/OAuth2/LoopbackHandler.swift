import NIOCore
import NIOHTTP1

/// Closes a connection of another user's process, before anything of it is read.
final class OwnersDoor: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    let (near, far) = (context.remoteAddress, context.localAddress)
    guard near?.ipAddress == "127.0.0.1", let port = near?.port, let listener = far?.port,
      LoopbackPeer.isOwn(port, to: listener)
    else { return context.close(promise: nil) }
    context.fireChannelActive()
  }
}

/// Answers one request of one connection, and closes it. Nothing of a request is written back.
final class LoopbackHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let exchange: LoopbackExchange
  private var isAnswered = false

  init(_ exchange: LoopbackExchange) { self.exchange = exchange }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // A body is nobody's business here: it is left unread.
    guard case .head(let head) = unwrapInboundIn(data), !isAnswered else { return }
    isAnswered = true
    let hosts = head.headers["Host"]
    let reply = exchange.reply(
      method: head.method.rawValue, target: head.uri, authority: hosts.count == 1 ? hosts[0] : nil,
      cookies: head.headers["Cookie"].joined(separator: "; "))
    send(reply, context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func send(_ reply: LoopbackListener.Reply, _ context: ChannelHandlerContext) {
    let (status, text): (HTTPResponseStatus, String) =
      switch reply {
      case .redirect: (.found, "")
      case .done: (.ok, "Done. You can close this page.")
      case .refused: (.badRequest, "This is not the answer that is waited for. Go back to the program, and sign in from there.")
      }
    var headers: HTTPHeaders = [
      "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(text.utf8.count)", "Connection": "close",
      "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Content-Security-Policy": "default-src 'none'",
      "X-Content-Type-Options": "nosniff",
    ]
    if case .redirect(let target, let cookie) = reply {
      headers.add(name: "Location", value: target)
      headers.add(name: "Set-Cookie", value: cookie)
    }
    context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}
