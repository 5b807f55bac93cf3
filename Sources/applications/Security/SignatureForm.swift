import SignetCoreFoundation

/// Bytes of SHA-1 and SHA-2 by their names in an algorithm.
let hashes: [Substring: Int] = ["SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64]

/// How an algorithm of ECDSA signs.
struct SignatureForm {
  /// Whether it takes a message, and hashes that.
  private let isOfMessage: Bool
  /// Bytes of the digest; `nil`: that of any hash.
  private let hash: Int?
  /// r and s alone, and no DER.
  let isRaw: Bool

  /// `nil`: it is no algorithm of ECDSA.
  init?(_ algorithm: SecKeyAlgorithm) {
    let parts = algorithm.text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.starts(with: ["algid", "sign", "ECDSA"]), (4...5).contains(parts.count) else { return nil }
    switch parts[3] {
    case "message-X962": (isOfMessage, isRaw) = (true, false)
    case "digest-X962": (isOfMessage, isRaw) = (false, false)
    case "message-RFC4754": (isOfMessage, isRaw) = (true, true)
    case "digest-RFC4754", "RFC4754": (isOfMessage, isRaw) = (false, true)
    default: return nil
    }
    hash = parts.count == 5 ? hashes[parts[4]] : nil
    guard hash != nil || !isOfMessage && parts.count == 4 else { return nil }
  }

  /// What is signed: a digest is a number, of which P-256 takes the first 32 bytes, and zeros before a shorter one
  /// (FIPS 186-5, section 6.4.1).
  func number(of data: Data) throws(KeychainError) -> [UInt8] {
    var digest = Array(data.prefix(65))
    if isOfMessage, let hash { digest = try P256.hash(data, hash) }
    // What is as long as no hash would be a message, of which no more than the beginning were signed.
    guard hash.map({ $0 == digest.count }) ?? hashes.values.contains(digest.count) else {
      throw KeychainError(errSecParam, "The digest is not as long as the algorithm says.")
    }
    return [UInt8](repeating: 0, count: max(0, P256.length - digest.count)) + digest.prefix(P256.length)
  }

  /// A signature of this form in DER; `nil` where it is none.
  func der(_ signature: Data) throws(KeychainError) -> [UInt8]? {
    guard isRaw else { return Array(signature.prefix(P256.longestSignature + 1)) }
    return signature.count == 2 * P256.length ? try P256.der(Array(signature)) : nil
  }
}
