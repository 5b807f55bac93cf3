/// Sends requests over TLS 1.2 or newer, by HTTP/1.1 and the system's libcurl, which is loaded for the first one. It follows no redirect
/// to another origin, decompresses nothing, asks no proxy and keeps no cookie. Any thread may use it.
///
/// For who looks into TLS, libcurl writes its keys where the variable `SSLKEYLOGFILE` says. A program that does not want that takes it out
/// of its environment when it begins.
public final class HTTPNetworkClient: NetworkClient {
  /// How long a request may take.
  public struct TimeLimits: Sendable {
    /// For the connection and TLS.
    public var connect: Duration
    /// Between two pieces of the answer, in whole seconds.
    public var idle: Duration
    /// For all of it, with its redirects.
    public var total: Duration
    /// For a connection without a request: long enough for those of one sign-in. One that is kept longer may lead nowhere, after a sleep
    /// or in another network, which is found out only when nothing answers for long.
    var kept = Duration.seconds(5)

    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration = .seconds(30)) {
      self.connect = connect
      self.idle = idle
      self.total = total
    }
  }

  public let baseURL: Endpoint?
  private let settings: TransferSettings
  private let transfers: Transfers

  /// - Parameter baseURL: the server that requests name a path of.
  /// - Throws: `NetworkError.invalidTrust` where a certificate cannot be read.
  public init(
    baseURL: Endpoint? = nil, trust: ServerTrust = ServerTrust(), limits: TimeLimits = TimeLimits()
  ) throws(NetworkError) {
    self.baseURL = baseURL
    settings = try TransferSettings(trust, limits)
    transfers = Transfers(settings)
  }

  /// Nobody waits for the connections to close.
  deinit { transfers.end() }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let deadline = ContinuousClock.now + settings.limits.total
    var request = request
    while true {
      try check(request)
      let response = try await transfers.send(Transfer(request, until: deadline))
      guard let next = try response.redirect(of: request) else { return response }
      request = next
    }
  }

  /// What libcurl would not refuse.
  private func check(_ request: NetworkRequest) throws(NetworkError) {
    let endpoint = request.endpoint
    // Cleartext has no key, and where no key is right there is none to ask for.
    if let pins = settings.pins[endpoint.host], pins.isEmpty || !endpoint.origin.isSecure {
      throw .notPinned(host: endpoint.host)
    }
    guard
      request.headers.fields.allSatisfy({ name, value in
        !name.isEmpty && name.utf8.allSatisfy(HTTPNetworkClient.isToken)
          && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
      })
    else { throw .invalidRequest(host: endpoint.host) }
  }

  /// What a field's name consists of (RFC 9110, 5.6.2).
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
