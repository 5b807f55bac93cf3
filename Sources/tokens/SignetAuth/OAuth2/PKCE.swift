import SignetJWT

/// Proof that who redeems a code is who asked for it (RFC 7636), by SHA-256.
struct PKCE: Sendable {
  static let method = "S256"

  let verifier: String

  init(verifier: String = RandomText.make()) { self.verifier = verifier }

  var challenge: String { Base64URL.encode(SHA2.sha256(verifier.utf8)) }
}
