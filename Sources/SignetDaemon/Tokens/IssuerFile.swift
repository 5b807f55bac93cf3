import SignetBytes
import SignetMemory
import SignetSealing
import SignetTokens

/// `issuer`: what this machine's tokens are issued under, sealed under the device key.
struct IssuerFile: Sendable {
  static let name = "issuer"
  static let limit = 4096
  /// Keys that sign, signed before, or are to sign next: `SigningKeys` keeps three at most.
  private static let keyLimit = 8
  private static let header = Array("SGis".utf8) + [1, 0, 0, 0, 0]
  private static let context = SealContext("SGis", uid: 0)

  /// A key of the issuer, which several threads use.
  final class Key: Sendable {
    let key: ES256Key
    let from: UInt64

    init(_ key: consuming ES256Key, from: UInt64) {
      self.key = key
      self.from = from
    }

    var entry: SigningKeys.Entry { SigningKeys.Entry(key: key.publicKey, from: from) }
  }

  /// 128 random bits, by which this machine's issuer is known for as long as the file is.
  var identity: [UInt8]
  var keys: [Key]

  /// As tokens name it (`iss`): a URN of RFC 9562's form.
  var issuer: String {
    let digits = Array(identity.hexadecimal)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return "urn:uuid:" + groups.joined(separator: "-")
  }

  func sealed(under key: any DeviceKey) throws(SealingError) -> [UInt8] {
    guard var fields = SecretBytes(capacity: IssuerFile.limit) else { throw .exhausted }
    do throws(FormatError) {
      try fields.put(raw: identity.span)
      try fields.put(UInt8(truncatingIfNeeded: keys.count))
      for each in keys {
        try fields.put(each.from, size: 8)
        guard each.key.append(to: &fields) else { throw .tooLong }
      }
    } catch {
      throw .exhausted
    }
    return IssuerFile.header + (try key.seal(fields.span, for: IssuerFile.context))
  }
}

extension IssuerFile {
  static let identityLength = 16

  /// Fails where it was torn or altered, or sealed under another key.
  init(opening bytes: [UInt8], under device: any DeviceKey) throws(FormatError) {
    guard bytes.starts(with: IssuerFile.header) else { throw .badValue }
    let plain: SecretBytes
    do throws(SealingError) {
      plain = try device.open(bytes.span.extracting(droppingFirst: IssuerFile.header.count), for: IssuerFile.context)
    } catch {
      throw .badValue
    }
    var fields = ByteReader(plain.span)
    identity = Array(copying: try fields.bytes(IssuerFile.identityLength))
    keys = []
    let count = try fields.byte()
    guard count <= IssuerFile.keyLimit else { throw .tooLong }
    for _ in 0..<count {
      let from = try fields.uint64()
      guard let secret = IssuerFile.secret(try fields.bytes(ES256Key.privateLength)),
        let key = ES256Key(secret: secret, point: Array(copying: try fields.bytes(ES256PublicKey.length)))
      else { throw .badValue }
      keys.append(Key(key, from: from))
    }
    try fields.end()
  }

  private static func secret(_ bytes: Span<UInt8>) -> SecretBytes? {
    guard var secret = SecretBytes(capacity: bytes.count), secret.append(bytes) else { return nil }
    return secret
  }
}
