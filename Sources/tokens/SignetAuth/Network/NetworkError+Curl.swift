import CCurl
import SignetBytes

extension NetworkError {
  /// What libcurl says.
  ///
  /// - Parameter text: its words for it, where it has any.
  init(_ code: CURLcode, _ text: String, host: String) {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut(host: host)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: self = .notPinned(host: host)
    case CURLE_URL_MALFORMAT: self = .invalidRequest(host: host)
    case CURLE_COULDNT_RESOLVE_HOST: self = .unreachable(host: host, reason: "its name is not known")
    case CURLE_COULDNT_CONNECT: self = .unreachable(host: host, reason: "no connection")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      self = .unreachable(host: host, reason: "it does not speak HTTP")
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
      self = .unreachable(host: host, reason: "the connection was closed")
    // libcurl has one code for a handshake that failed and for one that was cut off, which may go well the next time. Of the first one
    // OpenSSL has something to say.
    case CURLE_SSL_CONNECT_ERROR where text.includes("SSL routines") && !text.includes("unexpected eof"):
      self = .notTrusted(host: host, reason: "the TLS handshake failed")
    case CURLE_SSL_CONNECT_ERROR: self = .unreachable(host: host, reason: "the connection was closed")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      self = .notTrusted(host: host, reason: text.isEmpty ? "its certificate is not valid" : NetworkError.short(text))
    default: self = .unreachable(host: host, reason: "libcurl's error \(code.rawValue)")
    }
  }

  /// What a library says, without what a server could write into it.
  private static func short(_ text: String) -> String {
    String(text.prefix(160).map { $0.isASCII && ($0.isLetter || $0.isNumber || " _-.:,()[]".contains($0)) ? $0 : " " })
  }
}
