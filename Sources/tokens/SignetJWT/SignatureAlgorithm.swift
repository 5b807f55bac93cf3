/// How a token is signed: the `alg` values that are taken (RFC 7518, RFC 8037). There is no case for `none` nor for HMAC, so no
/// configuration can allow them.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
  /// RSASSA-PKCS1-v1_5 with SHA-256, keys of 2048 to 8192 bits.
  case rs256 = "RS256"
  /// Ed25519.
  case edDSA = "EdDSA"
}
