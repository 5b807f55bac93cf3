import SignetBytes

/// Where a request goes: an `https` URL, or an `http` one of this machine's own address. Strict: what two readers of URLs could
/// understand in two ways is no endpoint.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// The most bytes of its text.
  public static let maximumSize = 8192

  /// Scheme, host and port: what a cookie, a pin and a redirect are bound to.
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    public let isSecure: Bool
    /// Lower case; an IPv6 address in brackets.
    public let host: String
    public let port: Int

    public var description: String {
      (isSecure ? "https://" : "http://") + host + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
    }
  }

  public let origin: Origin
  /// Begins with a slash.
  public let path: String
  /// Without the question mark.
  public let query: String?

  public var host: String { origin.host }
  public var description: String { origin.description + path + (query.map { "?" + $0 } ?? "") }
  /// Without the query.
  var target: String { origin.description + path }

  init(origin: Origin, path: String, query: String?) {
    self.origin = origin
    self.path = path
    self.query = query
  }

  /// Reads an absolute URL.
  ///
  /// - Throws: `NetworkError.invalidURL` where it is none, has a user, a fragment or characters that no URL has;
  ///   `NetworkError.notSecure` where it is `http` and its host is neither 127.0.0.1 nor [::1].
  public init(_ text: String) throws(NetworkError) {
    guard text.utf8.count <= Endpoint.maximumSize, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !text.contains(where: { "\\#<>\"{}|^`".contains($0) }), let separator = text.place(of: "://")
    else { throw .invalidURL(text) }
    let scheme = text[..<separator.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else { throw .invalidURL(text) }
    let rest = text[separator.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard let (host, port) = Endpoint.authority(authority) else { throw .invalidURL(text) }
    let isSecure = scheme == "https"
    guard isSecure || host == "127.0.0.1" || host == "[::1]" else { throw .notSecure(text) }
    origin = Origin(isSecure: isSecure, host: host, port: port ?? (isSecure ? 443 : 80))
    let tail = rest.dropFirst(authority.count)
    let path = tail.prefix { $0 != "?" }
    self.path = path.isEmpty ? "/" : String(path)
    query = path.count < tail.count ? String(tail.dropFirst(path.count + 1)) : nil
  }

  private static func authority(_ text: Substring) -> (host: String, port: Int?)? {
    var host = text
    var port: Int?
    if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
      host = text[..<colon]
      let digits = text[text.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits), (1...65535).contains(number) else {
        return nil
      }
      port = number
    }
    let lower = host.lowercased()
    return isHost(lower) ? (lower, port) : nil
  }

  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return host.count > 3 && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    return !host.isEmpty && host.utf8.count <= 253 && !host.hasPrefix(".") && !host.hasPrefix("-") && !host.includes("..")
      && host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
  }

  /// The endpoint with these fields behind its query.
  func adding(_ fields: [(String, String)]) -> Endpoint {
    let more = FormEncoding.encode(fields)
    let query = [self.query, more].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
    return Endpoint(origin: origin, path: path, query: query.isEmpty ? nil : query)
  }

  /// A path below this one's.
  ///
  /// - Parameter path: with or without a slash before it, and with a query.
  /// - Throws: `NetworkError.invalidURL`.
  public func appending(_ path: String) throws(NetworkError) -> Endpoint {
    let base = target.hasSuffix("/") ? String(target.dropLast()) : target
    return try Endpoint(base + (path.hasPrefix("/") ? "" : "/") + path)
  }

  /// Where a `Location` leads: another URL, or a path at this origin.
  func resolve(_ location: String) throws(NetworkError) -> Endpoint {
    if location.hasPrefix("/"), !location.hasPrefix("//") { return try Endpoint(origin.description + location) }
    return try Endpoint(location)
  }
}
