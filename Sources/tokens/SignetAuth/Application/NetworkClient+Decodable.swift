import Foundation

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
}
