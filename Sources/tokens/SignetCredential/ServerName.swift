import SignetBytes

/// A server that may get a token: a host, and its port. A text that is not exactly that is none. Whoever asks may have made it so that
/// one reader finds the right host in it, and another connects to the wrong one.
struct ServerName: Equatable, Sendable {
  private static let scheme = "https://"
  /// In small letters, with the port where that is not 443.
  private let text: String

  /// As programs write an address: a host, or the URL of something that is there. One without TLS is none.
  init?(address: String) {
    guard address.prefix(ServerName.scheme.count).lowercased() == ServerName.scheme else {
      self.init(host: address)
      return
    }
    self.init(host: String(address.dropFirst(ServerName.scheme.count).prefix { $0 != "/" }))
  }

  /// `HOST` or `HOST:PORT`.
  init?(host: String) {
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else {
      guard ServerName.isHost(host[...]) else { return nil }
      text = host.lowercased()
      return
    }
    let port = host[host.index(after: colon)...]
    guard ServerName.isHost(host[..<colon]), let number = UInt16(port), number != 0, port == "\(number)" else { return nil }
    text = host[..<colon].lowercased() + (number == 443 ? "" : ":\(number)")
  }

  /// A name, an address of IPv4, or one of IPv6 in brackets. Letters beyond ASCII have more than one form.
  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return host.utf8.count > 3
        && host.dropFirst().dropLast().allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }
    }
    return (1...253).contains(host.utf8.count) && !host.hasPrefix(".") && !host.hasPrefix("-") && !host.includes("..")
      && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
  }
}
