import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension NetworkError {
  /// What the layers below say.
  init(_ error: any Error, host: String) {
    switch error {
    case let error as NetworkError: self = error
    case is CancellationError: self = .cancelled
    case let error as HTTPClientError: self.init(error, host: host)
    case let error as NIOSSLError: self.init(error, host: host)
    // A name that does not fit, a chain that cannot be built.
    case let error as NIOSSLExtraError: self = .notTrusted(host: host, reason: NetworkError.short("\(error)"))
    case is BoringSSLError: self = .notTrusted(host: host, reason: "the TLS handshake failed")
    case is HTTPParserError: self = .unreachable(host: host, reason: "it does not speak HTTP")
    case is ChannelError, is IOError, is NIOConnectionError: self = .unreachable(host: host, reason: NetworkError.reason(error))
    default: self = .unreachable(host: host, reason: "\(type(of: error))")
    }
  }

  private init(_ error: HTTPClientError, host: String) {
    switch error {
    case .cancelled: self = .cancelled
    case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
      self = .timedOut(host: host)
    case .remoteConnectionClosed, .uncleanShutdown: self = .unreachable(host: host, reason: "the connection was closed")
    default:
      self = error.isOfRequest ? .invalidRequest(host: host) : .unreachable(host: host, reason: error.shortDescription)
    }
  }

  private init(_ error: NIOSSLError, host: String) {
    switch error {
    case .uncleanShutdown: self = .unreachable(host: host, reason: "the connection was closed")
    case .handshakeFailed(let cause): self = .notTrusted(host: host, reason: NetworkError.short("\(cause)"))
    default: self = .notTrusted(host: host, reason: "\(error)")
    }
  }

  private static func reason(_ error: any Error) -> String {
    if let error = error as? IOError, error.errnoCode == ECONNREFUSED { return "no connection" }
    guard let error = error as? NIOConnectionError else { return "the connection broke" }
    return error.connectionErrors.isEmpty ? "its name is not known" : "no connection"
  }

  /// What a library says, without what a server could write into it.
  private static func short(_ text: String) -> String {
    String(text.prefix(160).map { $0.isASCII && ($0.isLetter || $0.isNumber || " _-.:,()[]".contains($0)) ? $0 : " " })
  }
}

extension HTTPClientError {
  fileprivate var isOfRequest: Bool {
    [.invalidURL, .emptyHost, .emptyScheme, .bodyLengthMismatch].contains(self)
      || shortDescription.contains("header field")
  }
}
