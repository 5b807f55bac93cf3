import SignetBytes
import SignetMemory
import SignetSealing
import SignetTestKit
import Testing

@Suite struct SealingKeyTests {
  private let context = SealContext("SGtp", uid: 1000, name: Array("left-thumb".utf8))
  private let plain = Array("a template".utf8)

  /// A key whose 32 bytes are all this one.
  private func key(_ byte: UInt8 = 7) throws -> SealingKey {
    guard let key = SealingKey(try secret([UInt8](repeating: byte, count: 32))) else { throw TestKitError("no key") }
    return key
  }

  private func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    guard var secret = SecretBytes(capacity: bytes.count), secret.append(bytes.span) else { throw TestKitError("no memory") }
    return secret
  }

  private func sealed(_ plain: [UInt8], _ key: borrowing SealingKey) throws -> [UInt8] {
    guard let sealed = key.seal(plain.span, for: context) else { throw TestKitError("not sealed") }
    return sealed
  }

  private func derived(_ key: borrowing SealingKey, _ label: StaticString, _ material: String) throws -> SealingKey {
    let bytes = Array(material.utf8)
    guard let derived = key.derived(label, bytes.span) else { throw TestKitError("not derived") }
    return derived
  }

  private func opened(_ sealed: [UInt8], _ key: borrowing SealingKey, _ context: SealContext) -> [UInt8]? {
    guard let plain = key.open(sealed.span, for: context) else { return nil }
    return Array(copying: plain.span)
  }

  @Test func `what is sealed opens for its context`() throws {
    let key = try key()
    let sealed = try sealed(plain, key)
    #expect(sealed.count == plain.count + SealingKey.overhead)
    #expect(opened(sealed, key, context) == plain)
    let empty = try self.sealed([], key)
    #expect(opened(empty, key, context) == [])
  }

  @Test func `the same text sealed twice looks different`() throws {
    let key = try key()
    let (first, second) = (try sealed(plain, key), try sealed(plain, key))
    #expect(first != second)
  }

  @Test func `it opens for no other user, purpose, name or version`() throws {
    let key = try key()
    let sealed = try sealed(plain, key)
    let others = [
      SealContext("SGtp", uid: 1001, name: context.name), SealContext("SGst", uid: 1000, name: context.name),
      SealContext("SGtp", uid: 1000, name: Array("left-thumb2".utf8)), SealContext("SGtp", uid: 1000),
      SealContext("SGtp", version: 2, uid: 1000, name: context.name),
    ]
    for other in others { #expect(opened(sealed, key, other) == nil) }
  }

  @Test func `it opens under no other key`() throws {
    let sealed = try sealed(plain, key())
    let other = try key(8)
    #expect(opened(sealed, other, context) == nil)
    let child = try derived(key(), "item", "a")
    #expect(opened(sealed, child, context) == nil)
  }

  @Test func `altered anywhere or cut it does not open`() throws {
    let key = try key()
    let sealed = try sealed(plain, key)
    for bit in 0..<(sealed.count * 8) {
      var altered = sealed
      altered[bit / 8] ^= 1 << (bit % 8)
      #expect(opened(altered, key, context) == nil)
    }
    for count in 0..<sealed.count { #expect(opened(Array(sealed.prefix(count)), key, context) == nil) }
  }

  @Test func `a derived key depends on label and material, and on nothing else`() throws {
    let key = try key()
    func bytes(_ label: StaticString, _ material: String) throws -> [UInt8] {
      let child = try derived(key, label, material)
      return Array(copying: child.secret.span)
    }
    #expect(try bytes("item", "a") == bytes("item", "a"))
    #expect(try bytes("item", "a") != bytes("item", "b"))
    #expect(try bytes("item", "xa") != bytes("itemx", "a"))
  }

  @Test func `a key of another length is none`() throws {
    let isKey = SealingKey(try secret([1, 2, 3])) != nil
    #expect(!isKey)
  }
}
