import SignetCoreFoundation

/// What an algorithm of ECDH makes of what two keys agree on.
struct ExchangeForm {
  /// Bytes of the hash by which X9.63 derives; `nil`: x as it is.
  private let hash: Int?

  /// `nil`: it is no algorithm of ECDH.
  init?(_ algorithm: SecKeyAlgorithm) {
    let parts = algorithm.text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.starts(with: ["algid", "keyexchange"]), parts.count >= 3, ["ECDH", "ECDHC"].contains(parts[2]) else { return nil }
    hash = parts.count == 5 && parts[3] == "KDFX963" ? hashes[parts[4]] : nil
    guard hash != nil || parts.count == 3 else { return nil }
  }

  /// What the parameters of a call say.
  struct Parameters {
    fileprivate var size: Int?
    fileprivate var info: Data?

    init(_ dictionary: CFDictionary) throws(KeychainError) {
      let fields = try ItemQuery.fields(dictionary)
      (size, info) = ((fields["requestedSize"] as? NSNumber)?.intValue, fields["sharedInfo"] as? Data)
    }
  }

  /// Whether the parameters are enough, before anybody is asked. At most 64 KiB can be derived.
  func check(_ parameters: Parameters) throws(KeychainError) {
    guard hash == nil || parameters.size.map({ (1...65_536).contains($0) }) == true else {
      throw KeychainError(errSecParam, "requestedSize is missing, or too large.")
    }
  }

  func result(of shared: P256.PrivateNumber, _ parameters: Parameters) throws(KeychainError) -> Data {
    guard let hash, let size = parameters.size else { return shared.data }
    return try P256.derive(size, from: shared, parameters.info ?? Data(), by: hash)
  }
}

/// How an algorithm of ECIES encrypts: a new pair of keys agrees with the key, and what X9.63 derives from that, with the point of the new one
/// beside it, is a key of AES-128-GCM. What is encrypted has that point before it, and the tag behind it.
struct EncryptionForm {
  private let hash: Int
  /// Whether the start is derived as well; else it is zeros, which is as good, for the key serves once.
  private let derivesStart: Bool

  private static let keyLength = 16, startLength = 16

  /// `nil`: it is no algorithm of ECIES that is here.
  init?(_ algorithm: SecKeyAlgorithm) {
    let parts = algorithm.text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 7, parts.starts(with: ["algid", "encrypt", "ECIES"]), ["ECDH", "ECDHC"].contains(parts[3]),
      parts[4] == "KDFX963", let hash = hashes[parts[5]], ["AESGCM", "AESGCM-KDFIV"].contains(parts[6])
    else { return nil }
    (self.hash, derivesStart) = (hash, parts[6] == "AESGCM-KDFIV")
  }

  /// For whoever has the private half of a point.
  func encrypted(_ clear: Data, for point: [UInt8]) throws(KeychainError) -> Data {
    let (number, ephemeral) = try P256.generate()
    let (key, start) = try keys(try P256.agree(number, with: point), ephemeral)
    return Data(ephemeral) + (try P256.seal(clear, key, start))
  }

  /// - Parameter agree: what the private half and the point that it is given agree on.
  func decrypted(
    _ encrypted: Data, _ agree: ([UInt8]) throws(KeychainError) -> P256.PrivateNumber
  ) throws(KeychainError) -> Data {
    let ephemeral = Array(encrypted.prefix(P256.pointLength))
    guard encrypted.count >= P256.pointLength + P256.tagLength, try P256.isPoint(ephemeral) else {
      throw KeychainError(errSecParam, "These bytes are nothing that was encrypted so.")
    }
    let (key, start) = try keys(try agree(ephemeral), ephemeral)
    return try P256.open(encrypted.dropFirst(P256.pointLength), key, start)
  }

  private func keys(_ shared: P256.PrivateNumber, _ ephemeral: [UInt8]) throws(KeychainError) -> (key: Data, start: Data) {
    let length = EncryptionForm.keyLength + (derivesStart ? EncryptionForm.startLength : 0)
    let derived = try P256.derive(length, from: shared, Data(ephemeral), by: hash)
    let start = derivesStart ? derived.suffix(EncryptionForm.startLength) : Data(count: EncryptionForm.startLength)
    return (derived.prefix(EncryptionForm.keyLength), start)
  }
}
