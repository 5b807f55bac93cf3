import SignetBytes
import SignetFiles

/// What all requests of a client have in common.
struct TransferSettings: Sendable {
  /// A file of roots has no more bytes: twenty times what Debian's own has.
  private static let rootsLimit = 4 << 20

  let limits: HTTPNetworkClient.TimeLimits
  /// The extra roots, one PEM text.
  let roots: [UInt8]
  /// By host, as libcurl takes them. A text without a pin is one that no key has.
  let pins: [String: String]

  /// - Throws: `NetworkError.invalidTrust` where a certificate cannot be read.
  init(_ trust: ServerTrust, _ limits: HTTPNetworkClient.TimeLimits) throws(NetworkError) {
    self.limits = limits
    var roots: [UInt8] = []
    for path in trust.additionalRoots {
      guard
        let text = NamedFile.contents(path, limit: TransferSettings.rootsLimit).flatMap({ String(validating: $0, as: UTF8.self) }
        ),
        TransferSettings.areCertificates(text)
      else { throw .invalidTrust(path) }
      roots += Array((text + "\n").utf8)
    }
    self.roots = roots
    var pins: [String: String] = [:]
    for (host, hashes) in trust.pins {
      pins[host.lowercased()] = hashes.map { "sha256//" + Base64Text.encode($0.digest) }.sorted().joined(separator: ";")
    }
    self.pins = pins
  }

  /// Whether there is a certificate in PEM (RFC 7468), and nothing broken that says it is one. What is in them libcrypto reads.
  private static func areCertificates(_ text: String) -> Bool {
    let begin = "-----BEGIN CERTIFICATE-----"
    guard var next = text.place(of: begin) else { return false }
    while true {
      let rest = text[next.upperBound...]
      let following = rest.place(of: begin)
      let part = rest[..<(following?.lowerBound ?? rest.endIndex)]
      guard let end = part.place(of: "-----END CERTIFICATE-----") else { return false }
      // A DER sequence.
      guard Base64Text.decode(part[..<end.lowerBound].filter { !$0.isWhitespace })?.first == 0x30 else { return false }
      guard let following else { return true }
      next = following
    }
  }
}
