/// A cookie as a server set it (RFC 6265), for one origin.
struct Cookie: Equatable, Sendable {
  /// The most bytes of name and value.
  static let maximumSize = 4096

  let name: String
  let value: String
  let path: String
  let isSecure: Bool
  /// Not to be shown to anybody but the server.
  let isHTTPOnly: Bool
  /// Seconds since 1970 in UTC; `nil` for as long as the session.
  let expiration: Double?

  /// Whether it goes with a request of its origin (RFC 6265, 5.1.4 and 5.4).
  func goes(to endpoint: Endpoint, at now: Double) -> Bool {
    if isSecure, !endpoint.origin.isSecure { return false }
    if let expiration, now >= expiration { return false }
    if endpoint.path == path { return true }
    return endpoint.path.hasPrefix(path.hasSuffix("/") ? path : path + "/")
  }

  /// Whether it stands where the other one does.
  func replaces(_ other: Cookie) -> Bool { name == other.name && path == other.path }

  init(name: String, value: String, path: String, isSecure: Bool, isHTTPOnly: Bool, expiration: Double?) {
    self.name = name
    self.value = value
    self.path = path
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.expiration = expiration
  }

  /// Reads a `Set-Cookie`, which came with the answer of `endpoint`; `nil` where it is not valid or not for this origin.
  ///
  /// Stricter than browsers: a cookie for a larger domain is kept for the one host that set it, and one for another domain,
  /// with a character that no cookie has, or against the promise of its prefix, is dropped.
  init?(setCookie text: String, from endpoint: Endpoint, at now: Double) {
    guard text.utf8.count <= 2 * Cookie.maximumSize else { return nil }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { Cookie.trimmed($0) }
    guard let (name, value) = Cookie.pair(parts[0]), Cookie.isName(name), Cookie.isValue(value),
      name.utf8.count + value.utf8.count <= Cookie.maximumSize
    else { return nil }
    var attributes: [String: String] = [:]
    // Of one that is there twice the last counts.
    for part in parts.dropFirst() {
      let (name, value) = Cookie.pair(part) ?? (part, "")
      attributes[name.lowercased()] = value
    }
    self.name = name
    self.value = value
    path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Cookie.defaultPath(endpoint.path)
    isSecure = attributes["secure"] != nil
    isHTTPOnly = attributes["httponly"] != nil
    expiration = Cookie.expiration(attributes, now)
    guard Cookie.isForHost(attributes["domain"], endpoint.host), !isSecure || endpoint.origin.isSecure else { return nil }
    guard keepsPrefix(hasDomain: attributes["domain"]?.isEmpty == false) else { return nil }
  }

  private func keepsPrefix(hasDomain: Bool) -> Bool {
    let lower = name.lowercased()
    if lower.hasPrefix("__host-") { return isSecure && !hasDomain && path == "/" }
    return !lower.hasPrefix("__secure-") || isSecure
  }

  /// RFC 6265, 5.1.3. A host that is an address has no larger domain, and neither has a name without a dot.
  private static func isForHost(_ domain: String?, _ host: String) -> Bool {
    guard var domain = domain?.lowercased(), !domain.isEmpty else { return true }
    if domain.hasPrefix(".") { domain.removeFirst() }
    if domain.hasSameBytes(as: host) { return true }
    let isAddress = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
    return !isAddress && domain.contains(".") && host.hasSuffix("." + domain)
  }

  private static func expiration(_ attributes: [String: String], _ now: Double) -> Double? {
    if let age = attributes["max-age"] {
      // What does not fit is far away, in its direction.
      guard let seconds = Double(age), seconds.isFinite, age.allSatisfy({ $0.isNumber || $0 == "-" }) else { return nil }
      return seconds <= 0 ? 0 : now + min(seconds, 400 * 86400)
    }
    return attributes["expires"].flatMap(HTTPDate.parse)
  }

  private static func defaultPath(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private static func pair(_ text: String) -> (String, String)? {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    return (trimmed(text[..<equals]), trimmed(text[text.index(after: equals)...]))
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
  }

  private static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !",;\\".utf8.contains($0) }
  }
}
