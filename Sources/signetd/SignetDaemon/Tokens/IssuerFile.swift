import SignetBytes
import SignetMemory
import SignetSealing
import SignetTokens
import SignetWire

/// `issuer`: what this machine's tokens are issued under, sealed under the device key.
///
/// Version 1 knows no keys in a TPM. It is written where there are none, too: who goes back to an older Signet on a machine without a
/// TPM keeps issuer and keys.
struct IssuerFile: Sendable {
  static let name = "issuer"
  /// As many keys as there may be, each as long as one may be.
  static let limit = 512 + SigningKeys.limit * (128 + TPMRequest.sealedLimit)

  fileprivate enum Version: UInt8, CaseIterable {
    case withoutTPM = 1
    case withTPM = 2

    var header: [UInt8] { Array("SGis".utf8) + [rawValue, 0, 0, 0, 0] }
    /// Else a file could be passed off as one of the other version.
    var context: SealContext { SealContext("SGis", version: rawValue, uid: 0) }
  }

  /// Where a key is, as version 2 has it.
  fileprivate enum StorageCode: UInt8 { case file = 1, tpm }

  /// 128 random bits, by which this machine's issuer is known for as long as the file is.
  var identity: [UInt8]
  var keys: [IssuerKey]

  /// As tokens name it (`iss`): a URN of RFC 9562's form.
  var issuer: String {
    let digits = Array(identity.hexadecimal)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return "urn:uuid:" + groups.joined(separator: "-")
  }

  /// By what is public of them, and in their order.
  var signingKeys: SigningKeys { SigningKeys(keys.map(\.entry)) }

  /// The key that signs; `nil` where there is none yet.
  func key(at now: UInt64) -> IssuerKey? {
    guard let signing = signingKeys.signing(at: now) else { return nil }
    return keys.first { $0.entry == signing }
  }

  /// Adds a key, and leaves out those that are not needed any more. True, because the file is another one then.
  mutating func add(_ key: IssuerKey, at now: UInt64) -> Bool {
    keys.append(key)
    _ = retire(at: now)
    return true
  }

  /// Whether keys were left out.
  mutating func retire(at now: UInt64) -> Bool {
    var known = signingKeys
    let retired = known.retire(at: now)
    keys.removeAll { retired.contains($0.entry) }
    return !retired.isEmpty
  }

  func sealed(under key: any DeviceKey) throws(SealingError) -> [UInt8] {
    let version = keys.contains { $0.isOfTPM } ? Version.withTPM : .withoutTPM
    guard var fields = SecretBytes(capacity: IssuerFile.limit) else { throw .exhausted }
    do throws(FormatError) {
      try fields.put(raw: identity.span)
      try fields.put(UInt8(truncatingIfNeeded: keys.count))
      for each in keys {
        try fields.put(each.from, size: 8)
        try IssuerFile.put(each, version, into: &fields)
      }
    } catch {
      throw .exhausted
    }
    return version.header + (try key.seal(fields.span, for: version.context))
  }

  private static func put(_ key: IssuerKey, _ version: Version, into fields: inout SecretBytes) throws(FormatError) {
    switch key.storage {
    case .file(let secret):
      if version == .withTPM { try fields.put(StorageCode.file.rawValue) }
      guard secret.append(to: &fields) else { throw .tooLong }
    case .tpm(let handle):
      let point = key.publicKey.point
      try fields.put(StorageCode.tpm.rawValue)
      try fields.put(raw: point.span)
      try fields.put(handle.span, limit: TPMRequest.sealedLimit)
    }
  }
}

extension IssuerFile {
  static let identityLength = 16

  /// Fails where it was torn or altered, or sealed under another key.
  init(opening bytes: [UInt8], under device: any DeviceKey) throws(FormatError) {
    guard let version = Version.allCases.first(where: { bytes.starts(with: $0.header) }) else { throw .badValue }
    let plain: SecretBytes
    do throws(SealingError) {
      plain = try device.open(bytes.span.extracting(droppingFirst: version.header.count), for: version.context)
    } catch {
      throw .badValue
    }
    var fields = ByteReader(plain.span)
    identity = Array(copying: try fields.bytes(IssuerFile.identityLength))
    keys = []
    let count = try fields.byte()
    guard count <= SigningKeys.limit else { throw .tooLong }
    for _ in 0..<count { keys.append(try fields.issuerKey(version)) }
    try fields.end()
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func issuerKey(_ version: IssuerFile.Version) throws(FormatError) -> IssuerKey {
    let from = try uint64()
    switch version == .withTPM ? try storage() : .file {
    case .file: return IssuerKey(try pair(), from: from)
    case .tpm:
      guard let key = ES256PublicKey(Array(copying: try bytes(ES256PublicKey.length))) else { throw .badValue }
      return IssuerKey(key, ofTPM: Array(copying: try string(limit: TPMRequest.sealedLimit)), from: from)
    }
  }

  @_lifetime(self: copy self)
  private mutating func storage() throws(FormatError) -> IssuerFile.StorageCode {
    guard let storage = IssuerFile.StorageCode(rawValue: try byte()) else { throw .badValue }
    return storage
  }

  @_lifetime(self: copy self)
  private mutating func pair() throws(FormatError) -> ES256Key {
    let bytes = try bytes(ES256Key.privateLength)
    guard var secret = SecretBytes(capacity: bytes.count), secret.append(bytes),
      let key = ES256Key(secret: secret, point: Array(copying: try self.bytes(ES256PublicKey.length)))
    else { throw .badValue }
    return key
  }
}
