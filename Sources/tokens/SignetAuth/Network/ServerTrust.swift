import SignetJWT

/// The hash of a server's public key: SHA-256 of its SubjectPublicKeyInfo (as RFC 7469, 2.4).
public struct PublicKeyPin: Hashable, Sendable {
  /// 32 bytes.
  public let digest: [UInt8]

  /// - Parameter base64: 44 characters of base64, with or without `sha256/` in front.
  /// - Throws: `NetworkError.invalidTrust`.
  public init(base64 text: String) throws(NetworkError) {
    let plain = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
    guard let digest = Base64Text.decode(plain), digest.count == 32 else { throw .invalidTrust(text) }
    self.digest = digest
  }

  /// The pin of a key.
  ///
  /// - Parameter subjectPublicKeyInfo: DER.
  public init(subjectPublicKeyInfo: [UInt8]) { digest = SHA2.sha256(subjectPublicKeyInfo) }
}

/// Which servers are believed: those whose certificate the system's roots vouch for, or the extra ones.
public struct ServerTrust: Sendable {
  /// More roots, each a file of certificates in PEM.
  public var additionalRoots: [String]
  /// For a host that is named here, the certificate's key must be one of these besides. Several, so that the next key can be
  /// named before it is used.
  public var pins: [String: Set<PublicKeyPin>]

  /// - Parameters:
  ///   - additionalRoots: paths of PEM files.
  ///   - pins: by host, in lower case.
  public init(additionalRoots: [String] = [], pins: [String: Set<PublicKeyPin>] = [:]) {
    self.additionalRoots = additionalRoots
    self.pins = pins
  }
}
