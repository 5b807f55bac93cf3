import SignetBytes

/// A request of a browser, as far as it matters here. Strict: what two readers could understand in two ways is none.
struct LoopbackRequest {
  /// The most bytes of a head.
  static let limit = 32 << 10

  let method: String
  let target: String
  /// Its `Host`, where there is one.
  let authority: String?
  /// All of `Cookie`.
  let cookies: String

  /// Where the head ends; `nil` while it does not.
  static func end(of bytes: [UInt8]) -> Int? { bytes.place(of: "\r\n\r\n".utf8)?.lowerBound }

  /// `nil` where it is no head of HTTP/1.
  init?(head: some Collection<UInt8>) {
    guard head.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }) else { return nil }
    var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { return nil }
    var fields: [String: [String]] = [:]
    for line in lines {
      let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, !halves[0].isEmpty, !halves[0].contains(where: \.isWhitespace) else { return nil }
      fields[halves[0].lowercased(), default: []].append(String(halves[1].drop { $0 == " " || $0 == "\t" }))
    }
    method = String(words[0])
    target = String(words[1])
    let hosts = fields["host"] ?? []
    authority = hosts.count == 1 ? hosts[0] : nil
    cookies = (fields["cookie"] ?? []).joined(separator: "; ")
  }
}

extension LoopbackListener.Reply {
  /// The whole answer. Nothing of a request is written back.
  var bytes: [UInt8] {
    let (status, text) =
      switch self {
      case .redirect: ("302 Found", "")
      case .done: ("200 OK", "Done. You can close this page.")
      case .refused:
        ("400 Bad Request", "This is not the answer that is waited for. Go back to the program, and sign in from there.")
      }
    var fields = [
      "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count)", "Connection: close",
      "Cache-Control: no-store",
      "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
    ]
    if case .redirect(let target, let cookie) = self { fields += ["Location: \(target)", "Set-Cookie: \(cookie)"] }
    return Array((["HTTP/1.1 " + status] + fields + ["", text]).joined(separator: "\r\n").utf8)
  }
}
