import CCrypto
import CLibc

/// What the platform and the device agreed on (CTAP 2.1, sections 6.5.6 and 6.5.7).
struct SharedSecret {
  let version: Int
  /// Of protocol 1 one key for both purposes; of protocol 2 the one for proofs, then the one to encipher with.
  private let bytes: [UInt8]

  /// `nil` where the other's key is none.
  init?(version: Int, _ own: [UInt8], _ other: [UInt8]) {
    var shared = [UInt8](repeating: 0, count: Int(CES256_PRIVATE))
    guard ces256_agree(own, other, &shared) == CCRYPTO_OK else { return nil }
    self.version = version
    guard version == 2 else {
      bytes = hash(shared)
      return
    }
    var keys: [UInt8] = []
    for purpose in ["CTAP2 HMAC key", "CTAP2 AES key"] {
      var key = [UInt8](repeating: 0, count: Int(CCRYPTO_KEY))
      let salt = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256))
      let made = purpose.withCString { ccrypto_hkdf(shared, shared.count, salt, salt.count, $0, purpose.utf8.count, &key) }
      guard made == CCRYPTO_OK else { return nil }
      keys += key
    }
    bytes = keys
  }

  /// Enciphers whole blocks.
  func sealed(_ clear: [UInt8]) throws(Status) -> [UInt8] {
    let start = version == 2 ? try random(Int(CDH_BLOCK)) : [UInt8](repeating: 0, count: Int(CDH_BLOCK))
    var sealed = [UInt8](repeating: 0, count: clear.count)
    guard ccrypto_cbc(1, Array(bytes.suffix(Int(CCRYPTO_KEY))), start, clear, clear.count, &sealed) == CCRYPTO_OK else {
      throw .other
    }
    return (version == 2 ? start : []) + sealed
  }
}

/// A pinUvAuthToken: the platform has it because the owner was there, for one site and for a short time.
struct Token {
  let version: Int
  let bytes: [UInt8]
  let rights: ClientPIN.Rights
  let site: Site?
  /// Who was asked, and in whose context it signs, once.
  let owner: Owner
  private let issued: Int64
  private(set) var until: Int64

  /// How long it is good for where it is not used, and at most, in milliseconds.
  private static let idle: Int64 = 30_000
  private static let limit: Int64 = 600_000

  init(version: Int, _ rights: ClientPIN.Rights, _ site: Site?, _ owner: Owner) throws(Status) {
    (self.version, self.rights, self.site, self.owner) = (version, rights, site, owner)
    bytes = try random(32)
    issued = Clock.milliseconds()
    until = issued + Token.idle
  }

  var isExpired: Bool { Clock.milliseconds() >= until }

  /// Whether the platform has this very token, and may do with it what it wants. A right for one site is not one for another.
  func allows(_ right: ClientPIN.Rights, _ site: Site?, _ authorization: Authorization, over message: [UInt8]) -> Bool {
    guard !isExpired, authorization.version == version, rights.contains(right), self.site == nil || self.site == site else {
      return false
    }
    var proof = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256))
    guard ccrypto_hmac(bytes, message, message.count, &proof) == CCRYPTO_OK else { return false }
    let expected = version == 1 ? Array(proof.prefix(16)) : proof
    guard expected.count == authorization.proof.count else { return false }
    return zip(expected, authorization.proof).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  mutating func renew() { until = min(issued + Token.limit, Clock.milliseconds() + Token.idle) }
}

/// The key by which platforms agree on secrets with the device, for as long as it is connected.
struct AgreementKey {
  private var secret = [UInt8](repeating: 0, count: Int(CES256_PRIVATE))
  /// x and y.
  private(set) var point = [UInt8](repeating: 0, count: Int(CES256_PUBLIC))

  init?() { guard ces256_generate(&secret, &point) == CCRYPTO_OK else { return nil } }

  func shared(version: Int, with other: [UInt8]) -> SharedSecret? { SharedSecret(version: version, secret, other) }
}
