import AsyncHTTPClient
import NIOCore
import NIOSSL

/// Sends requests over TLS 1.2 or newer, by HTTP/1.1. It follows no redirect to another origin, decompresses nothing, asks no
/// proxy and keeps no cookie. Any thread may use it.
public final class HTTPNetworkClient: NetworkClient {
  /// How long a request may take.
  public struct TimeLimits: Sendable {
    /// For the connection and TLS.
    public var connect: Duration
    /// Between two pieces of the answer.
    public var idle: Duration
    /// For all of it, with its redirects.
    public var total: Duration

    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration = .seconds(30)) {
      self.connect = connect
      self.idle = idle
      self.total = total
    }
  }

  private let limits: TimeLimits
  private let client: HTTPClient
  /// A host with pins has a client of its own, none of whose connections is used for another.
  private let pinned: [String: HTTPClient]

  /// - Throws: `NetworkError.invalidTrust` where a certificate cannot be read.
  public init(trust: ServerTrust = ServerTrust(), limits: TimeLimits = TimeLimits()) throws(NetworkError) {
    self.limits = limits
    let configuration = try HTTPClient.Configuration(trust, limits)
    client = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    var pinned: [String: HTTPClient] = [:]
    for (host, pins) in trust.pins {
      var configuration = configuration
      configuration.http1_1ConnectionDebugInitializer = { PinCheck.run(pins, of: host, on: $0) }
      pinned[host.lowercased()] = HTTPClient(
        eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }
    self.pinned = pinned
  }

  deinit {
    // The connections close in the background: nobody waits for that.
    for client in [client] + pinned.values { client.shutdown { _ in } }
  }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let host = request.endpoint.host
    return try await withThrowingTaskGroup(of: NetworkResponse.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.follow(request) }
      group.addTask {
        try await Task.sleep(for: self.limits.total)
        throw NetworkError.timedOut(host: host)
      }
      do {
        guard let response = try await group.next() else { throw NetworkError.cancelled }
        return response
      } catch { throw NetworkError(error, host: host) }
    }
  }

  private func follow(_ request: NetworkRequest) async throws -> NetworkResponse {
    var request = request
    while true {
      let response = try await sendOnce(request)
      guard let next = try response.redirect(of: request) else { return response }
      request = next
    }
  }

  private func sendOnce(_ request: NetworkRequest) async throws -> NetworkResponse {
    var message = HTTPClientRequest(url: request.endpoint.description)
    message.method = .RAW(value: request.method.rawValue)
    for (name, value) in request.headers.fields { message.headers.add(name: name, value: value) }
    if message.headers["User-Agent"].isEmpty { message.headers.add(name: "User-Agent", value: "Signet") }
    if !request.body.isEmpty { message.body = .bytes(request.body) }
    let client = pinned[request.endpoint.host] ?? client
    let answer = try await client.execute(message, deadline: .now() + TimeAmount(limits.total))
    var response = NetworkResponse(status: Int(answer.status.code))
    for (name, value) in answer.headers { response.headers.add(name, value) }
    for try await part in answer.body {
      guard response.body.count + part.readableBytes <= request.responseLimit else {
        throw NetworkError.tooLarge(host: request.endpoint.host, limit: request.responseLimit)
      }
      response.body += part.readableBytesView
    }
    return response
  }
}

extension HTTPClient.Configuration {
  fileprivate init(_ trust: ServerTrust, _ limits: HTTPNetworkClient.TimeLimits) throws(NetworkError) {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    var roots: [NIOSSLCertificate] = []
    for path in trust.additionalRoots {
      guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else { throw .invalidTrust(path) }
      roots += certificates
    }
    tls.additionalTrustRoots = [.certificates(roots)]
    self.init(tlsConfiguration: tls, redirectConfiguration: .disallow, decompression: .disabled)
    timeout = Timeout(connect: TimeAmount(limits.connect), read: TimeAmount(limits.idle), write: TimeAmount(limits.idle))
    httpVersion = .http1Only
    // A certificate that is refused is refused the next time, too. Whether to try again is the caller's decision.
    connectionPool.retryConnectionEstablishment = false
    // Long enough for the requests of one sign-in. One that is kept longer may lead nowhere, after a sleep or in another network, which
    // is found out only when nothing answers for long.
    connectionPool.idleTimeout = .seconds(5)
  }
}
