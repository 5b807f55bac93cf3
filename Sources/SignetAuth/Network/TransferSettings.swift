import FoundationEssentials

/// What all requests of a client have in common.
struct TransferSettings: Sendable {
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
      guard let text = FileManager.default.contents(atPath: path).flatMap({ String(validating: $0, as: UTF8.self) }),
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
    let parts = text.split(separator: "-----BEGIN CERTIFICATE-----", omittingEmptySubsequences: false).dropFirst()
    return !parts.isEmpty
      && parts.allSatisfy { part in
        guard let end = part.firstRange(of: "-----END CERTIFICATE-----") else { return false }
        let base64 = part[..<end.lowerBound].filter { !$0.isWhitespace }
        // A DER sequence.
        return Base64Text.decode(base64)?.first == 0x30
      }
  }
}
