import SignetJSON

/// The methods that the services use.
public enum NetworkMethod: String, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  // As they are written in HTTP.
  public static var GET: NetworkMethod { .get }
  public static var HEAD: NetworkMethod { .head }
  public static var POST: NetworkMethod { .post }
  public static var PUT: NetworkMethod { .put }
  public static var PATCH: NetworkMethod { .patch }
  public static var DELETE: NetworkMethod { .delete }

  /// Whether twice is as good as once (RFC 9110, 9.2.2).
  public var isIdempotent: Bool { self != .post && self != .patch }
}

/// A request.
public struct NetworkRequest: Sendable {
  /// The most bytes that an answer may have where the request does not say.
  public static let defaultResponseLimit = 1 << 20

  public var endpoint: Endpoint
  public var method: NetworkMethod
  public var headers: NetworkHeaders
  public var body: [UInt8]
  /// The most bytes that the answer's body may have; more are an error.
  public var responseLimit: Int
  /// How many redirects are followed: GET and HEAD, at the same origin, and no others.
  public var redirectLimit: Int

  public init(
    _ endpoint: Endpoint, method: NetworkMethod = .get, headers: NetworkHeaders = [:], body: [UInt8] = [],
    responseLimit: Int = NetworkRequest.defaultResponseLimit, redirectLimit: Int = 0
  ) {
    self.endpoint = endpoint
    self.method = method
    self.headers = headers
    self.body = body
    self.responseLimit = responseLimit
    self.redirectLimit = redirectLimit
  }

  /// A POST of a form.
  ///
  /// - Parameter accept: the media type that is wanted.
  public static func form(
    _ endpoint: Endpoint, _ fields: [(String, String)], accept: String = "application/json"
  ) -> NetworkRequest {
    NetworkRequest(
      endpoint, method: .post, headers: ["Content-Type": FormEncoding.mediaType, "Accept": accept],
      body: Array(FormEncoding.encode(fields).utf8))
  }

  /// A POST of JSON.
  static func json(_ endpoint: Endpoint, _ object: JSONObject) -> NetworkRequest {
    NetworkRequest(
      endpoint, method: .post, headers: ["Content-Type": "application/json", "Accept": "application/json"], body: object.encoded)
  }
}
