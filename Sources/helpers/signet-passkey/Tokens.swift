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

  private static let noStart = [UInt8](repeating: 0, count: Int(CDH_BLOCK))

  /// Enciphers whole blocks.
  func sealed(_ clear: [UInt8]) throws(Status) -> [UInt8] {
    let start = version == 2 ? try random(Int(CDH_BLOCK)) : SharedSecret.noStart
    return (version == 2 ? start : []) + (try ciphered(clear, from: start, isSealing: true))
  }

  /// The reverse.
  func opened(_ sealed: [UInt8]) throws(Status) -> [UInt8] {
    guard version == 2 else { return try ciphered(sealed, from: SharedSecret.noStart, isSealing: false) }
    let (start, rest) = (Array(sealed.prefix(Int(CDH_BLOCK))), Array(sealed.dropFirst(Int(CDH_BLOCK))))
    guard start.count == CDH_BLOCK else { throw .invalidLength }
    return try ciphered(rest, from: start, isSealing: false)
  }

  private func ciphered(_ from: [UInt8], from start: [UInt8], isSealing: Bool) throws(Status) -> [UInt8] {
    guard from.count % Int(CDH_BLOCK) == 0 else { throw .invalidLength }
    var to = [UInt8](repeating: 0, count: from.count)
    let key = Array(bytes.suffix(Int(CCRYPTO_KEY)))
    guard ccrypto_cbc(isSealing ? 1 : 0, key, start, from, from.count, &to) == CCRYPTO_OK else { throw .other }
    return to
  }

  /// Whether a message comes from whom this was agreed on with.
  func proves(_ message: [UInt8], by proof: [UInt8]) -> Bool {
    isProof(proof, of: message, by: Array(bytes.prefix(Int(CCRYPTO_KEY))), version: version)
  }
}

/// Whether a message has been signed with a key of 32 bytes, as the protocol of this version does it.
private func isProof(_ proof: [UInt8], of message: [UInt8], by key: [UInt8], version: Int) -> Bool {
  var whole = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256))
  guard ccrypto_hmac(key, message, message.count, &whole) == CCRYPTO_OK else { return false }
  let expected = version == 1 ? Array(whole.prefix(16)) : whole
  return isSameInConstantTime(expected.span, proof.span)
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
    return isProof(authorization.proof, of: message, by: bytes, version: version)
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
