import SignetJWT

/// New random texts, for what nobody may guess.
enum RandomText {
  /// 256 bits of the kernel's, base64url: 43 characters, as RFC 7636 recommends.
  static func make() -> String {
    var random = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
  }
}
