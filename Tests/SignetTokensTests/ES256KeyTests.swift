import SignetMemory
import SignetTokens
import Testing

@Suite struct ES256KeyTests {
  /// SHA-256 of `abc` (FIPS 180-4, appendix).
  private static let digest: [UInt8] = [
    0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23, 0xB0, 0x03, 0x61, 0xA3, 0x96,
    0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
  ]

  @Test func `a digest is signed as its message would be`() throws {
    #expect(ES256Key.isAvailable)
    let key = try ES256Key(random: ())
    let other = try ES256Key(random: ())
    let signature = try key.sign(digest: Self.digest)
    let message = Array("abc".utf8)
    #expect(key.publicKey.verifies(signature, of: message))
    #expect(!other.publicKey.verifies(signature, of: message) && !key.publicKey.verifies(signature, of: Self.digest))
    for digest in [[], Array(Self.digest.dropLast()), Self.digest + [0]] {
      #expect(refusal(digest, key) == .refused)
    }
  }

  @Test func `a pair that does not belong together signs no digest, and neither does a number that is no key`() throws {
    let key = try ES256Key(random: ())
    let other = try ES256Key(random: ())
    let zero = [UInt8](repeating: 0, count: ES256Key.privateLength)
    let most = [UInt8](repeating: 0xFF, count: ES256Key.privateLength)
    for (secret, point) in [(bytes(key), other.publicKey.point), (zero, key.publicKey.point), (most, key.publicKey.point)] {
      let mixed = try self.key(secret, point)
      #expect(refusal(Self.digest, mixed) == .refused)
    }
    let whole = try self.key(bytes(key), key.publicKey.point)
    #expect(key.publicKey.verifies(try whole.sign(digest: Self.digest), of: Array("abc".utf8)))
  }

  @Test func `two keys agree on the same, and one whose halves do not belong together on nothing`() throws {
    let one = try ES256Key(random: ())
    let other = try ES256Key(random: ())
    let shared = try one.agree(with: other.publicKey)
    #expect(bytes(shared) == bytes(try other.agree(with: one.publicKey)) && shared.count == ES256Key.privateLength)
    #expect(bytes(shared) != bytes(try one.agree(with: one.publicKey)))
    let mixed = try key(bytes(one.secret), other.publicKey.point)
    #expect(throws: SigningError.refused) { _ = try mixed.agree(with: other.publicKey) }
    var elsewhere = other.publicKey.point
    elsewhere[63] ^= 1
    let point = try #require(ES256PublicKey(elsewhere))
    #expect(!point.isOnCurve && other.publicKey.isOnCurve)
    #expect(throws: SigningError.refused) { _ = try one.agree(with: point) }
  }

  /// Why the digest is not signed; `nil` where it is.
  private func refusal(_ digest: [UInt8], _ key: borrowing ES256Key) -> SigningError? {
    do throws(SigningError) {
      _ = try key.sign(digest: digest)
      return nil
    } catch { return error }
  }

  private func bytes(_ key: borrowing ES256Key) -> [UInt8] { bytes(key.secret) }
  private func bytes(_ secret: borrowing SecretBytes) -> [UInt8] { (0..<secret.count).map { secret.span[$0] } }

  private func key(_ secret: [UInt8], _ point: [UInt8]) throws -> ES256Key {
    guard var bytes = SecretBytes(capacity: secret.count), bytes.append(secret.span),
      let key = ES256Key(secret: bytes, point: point)
    else { throw SigningError.refused }
    return key
  }
}
