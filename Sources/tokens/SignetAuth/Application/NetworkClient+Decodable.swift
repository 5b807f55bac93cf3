import Foundation

/// An answer, by the name that it often has.
public typealias APIResponse = NetworkResponse

extension NetworkClient {
  /// Sends a request for a JSON answer of this type.
  ///
  /// - Throws: `NetworkError`; `unexpectedStatus` where the status is not 200 to 299.
  public func send<Response: Decodable>(_ request: NetworkRequest, as type: Response.Type) async throws -> Response {
    let response = try await send(request)
    guard response.isSuccess else { throw NetworkError.unexpectedStatus(host: request.endpoint.host, response.status) }
    // What Foundation would take is not always JSON that has one meaning.
    _ = try response.json(from: request.endpoint)
    guard let value = try? JSONDecoder().decode(type, from: Data(response.body)) else {
      throw NetworkError.invalidBody(host: request.endpoint.host)
    }
    return value
  }

  /// Sends a request to a path of the client's server for a JSON answer of the type that is expected.
  ///
  /// - Parameters:
  ///   - endpoint: a path below `baseURL`.
  ///   - body: sent as JSON.
  /// - Throws: `NetworkError`; `unexpectedStatus` where the status is not 200 to 299, `invalidURL` where the client has no server.
  public func request<Response: Decodable>(
    endpoint: String, method: NetworkMethod = .get, headers: [String: String]? = nil, body: (any Encodable)? = nil
  ) async throws -> Response {
    try await send(request(endpoint, method, headers, body), as: Response.self)
  }

  /// The same for the answer as it is, whatever its status.
  @discardableResult public func request(
    endpoint: String, method: NetworkMethod = .get, headers: [String: String]? = nil, body: (any Encodable)? = nil
  ) async throws -> APIResponse {
    try await send(request(endpoint, method, headers, body))
  }

  private func request(
    _ path: String, _ method: NetworkMethod, _ headers: [String: String]?, _ body: (any Encodable)?
  ) throws -> NetworkRequest {
    guard let baseURL else { throw NetworkError.invalidURL(path) }
    var request = NetworkRequest(try baseURL.appending(path), method: method)
    if let body {
      request.headers["Content-Type"] = "application/json"
      request.body = Array(try JSONEncoder().encode(body))
    }
    for (name, value) in headers ?? [:] { request.headers[name] = value }
    return request
  }
}

extension APIResponse {
  public var statusCode: Int { status }
  public var data: Data { Data(body) }
}

extension HTTPNetworkClient {
  /// - Throws: `NetworkError.invalidURL` or `notSecure`.
  public convenience init(baseURL: String) throws { try self.init(baseURL: Endpoint(baseURL)) }
}
