import SignetJSON

/// An answer.
public struct NetworkResponse: Sendable {
  public var status: Int
  public var headers: NetworkHeaders
  public var body: [UInt8]

  public init(status: Int, headers: NetworkHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }

  /// The body as strict JSON.
  ///
  /// - Throws: `NetworkError.invalidBody`.
  public func json(from endpoint: Endpoint) throws(NetworkError) -> JSONValue {
    do throws(JSONError) { return try JSONReader.value(body, limit: NetworkRequest.defaultResponseLimit) } catch {
      throw .invalidBody(host: endpoint.host)
    }
  }

  /// The body as a JSON object, with the module's error.
  func object(from endpoint: Endpoint) throws(AuthError) -> JSONObject {
    guard let object = (try? json(from: endpoint))?.object else {
      throw .invalidResponse(host: endpoint.host, what: "no JSON object")
    }
    return object
  }
}
