import SignetJWT

/// The cookies of one origin. Its text is the session: who has it is signed in.
struct CookieJar: Equatable, Sendable {
  /// The most cookies that a server may set; of more, the oldest goes.
  static let maximumCount = 32

  let origin: Endpoint.Origin
  private(set) var cookies: [Cookie] = []

  init(_ origin: Endpoint.Origin) { self.origin = origin }

  /// Takes what came with an answer. One that has expired takes the old one away.
  mutating func take(_ response: NetworkResponse, from endpoint: Endpoint, at now: Double) {
    guard endpoint.origin == origin else { return }
    for text in response.headers.values("Set-Cookie") {
      guard let cookie = Cookie(setCookie: text, from: endpoint, at: now) else { continue }
      cookies.removeAll { cookie.replaces($0) }
      if cookie.expiration.map({ $0 > now }) ?? true { cookies.append(cookie) }
    }
    if cookies.count > CookieJar.maximumCount { cookies.removeFirst(cookies.count - CookieJar.maximumCount) }
  }

  /// The cookie of this name that goes there.
  func cookie(_ name: String, to endpoint: Endpoint, at now: Double) -> Cookie? {
    fitting(endpoint, now).first { $0.name.hasSameBytes(as: name) }
  }

  /// The `Cookie` field for a request; `nil` where none goes.
  func header(for endpoint: Endpoint, at now: Double) -> String? {
    let fitting = fitting(endpoint, now)
    return fitting.isEmpty ? nil : fitting.map { $0.name + "=" + $0.value }.joined(separator: "; ")
  }

  /// The longest path first, then the oldest (RFC 6265, 5.4).
  private func fitting(_ endpoint: Endpoint, _ now: Double) -> [Cookie] {
    guard endpoint.origin == origin else { return [] }
    let fitting = cookies.filter { $0.goes(to: endpoint, at: now) }.enumerated()
    return fitting.sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }.map(\.element)
  }
}

extension CookieJar {
  /// The cookies as text; where there are none, of no use.
  var text: String {
    let array = cookies.map { cookie -> JSONValue in
      var object: JSONObject = [
        "name": .string(cookie.name), "value": .string(cookie.value), "path": .string(cookie.path),
        "secure": .bool(cookie.isSecure),
        "httponly": .bool(cookie.isHTTPOnly),
      ]
      if let expiration = cookie.expiration { object["expires"] = .double(expiration) }
      return .object(object)
    }
    return String(decoding: JSONValue.array(array).encoded, as: UTF8.self)
  }

  /// What `text` gave; `nil` for anything else.
  init?(_ text: String, _ origin: Endpoint.Origin) {
    guard let array = try? JSONReader.value(Array(text.utf8), limit: 1 << 18).array else { return nil }
    self.origin = origin
    for value in array {
      guard let object = value.object, let name = object["name"]?.string, let value = object["value"]?.string,
        let path = object["path"]?.string, let isSecure = object["secure"]?.bool, let isHTTPOnly = object["httponly"]?.bool
      else { return nil }
      cookies.append(
        Cookie(
          name: name, value: value, path: path, isSecure: isSecure, isHTTPOnly: isHTTPOnly, expiration: object["expires"]?.number)
      )
    }
  }
}
