import Glibc
import SignetFiles
import SignetLanguage

/// Whose access token.
struct TokenSource: Equatable, Sendable {
  let issuer: String
  let account: String
}

/// The user's list of servers: a line for each, `SERVER ISSUER [ACCOUNT]`.
enum CredentialConfiguration {
  static let name = "signet/credentials.conf"
  private static let limit = 64 << 10

  /// Below the user's folder of configurations (XDG Base Directory Specification).
  static var path: String {
    let named = unsafe getenv("XDG_CONFIG_HOME").map { unsafe String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
    return "\(named ?? home + "/.config")/\(name)"
  }

  static func read() throws(CredentialFailure) -> [(server: ServerName, source: TokenSource)] {
    let path = path
    guard unsafe access(path, F_OK) == 0 else { return [] }
    guard let bytes = NamedFile.contents(path, limit: limit), let text = String(validating: bytes, as: UTF8.self) else {
      throw CredentialFailure(say("\(path) cannot be read, or is no text of at most 64 KiB."))
    }
    return try parse(text, path)
  }

  static func parse(_ text: String, _ path: String) throws(CredentialFailure) -> [(server: ServerName, source: TokenSource)] {
    var rows: [(server: ServerName, source: TokenSource)] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.isEmpty { continue }
      guard (2...3).contains(words.count), words[1].hasPrefix("https://"), let server = ServerName(address: words[0]) else {
        throw CredentialFailure(say("\(path), line \(number + 1): write SERVER ISSUER [ACCOUNT]; an issuer is an https URL."))
      }
      rows.append((server, TokenSource(issuer: words[1], account: words.count == 3 ? words[2] : "")))
    }
    return rows
  }
}
