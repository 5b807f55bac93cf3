import SignetTokens
import Testing

@Suite struct SigningKeysTests {
  private static let day: UInt64 = 86_400

  private func entry(from: UInt64) throws -> SigningKeys.Entry {
    SigningKeys.Entry(key: try ES256Key(random: ()).publicKey, from: from)
  }

  @Test func `the first key is due at once and signs at once`() throws {
    var keys = SigningKeys()
    #expect(keys.signing(at: 1_000) == nil)
    #expect(keys.due(at: 1_000) == 1_000)
    let first = try entry(from: 1_000)
    keys.add(first)
    #expect(keys.signing(at: 1_000) == first)
    #expect(keys.due(at: 1_000) == nil)
  }

  @Test func `the next key is known a day before it signs`() throws {
    var keys = SigningKeys([try entry(from: 0)])
    let last = SigningKeys.period - SigningKeys.overlap
    #expect(keys.due(at: last - 1) == nil)
    #expect(keys.due(at: last) == SigningKeys.period)
    let next = try entry(from: SigningKeys.period)
    keys.add(next)
    #expect(keys.signing(at: SigningKeys.period - 1) != next)
    #expect(keys.signing(at: SigningKeys.period) == next)
    #expect(keys.jwks.contains(next.key.identifier))
  }

  @Test func `a key is known for a day after it signed last`() throws {
    let (old, new) = (try entry(from: 0), try entry(from: SigningKeys.period))
    var keys = SigningKeys([new, old])
    #expect(keys.retire(at: SigningKeys.period + SigningKeys.overlap).isEmpty)
    #expect(keys.retire(at: SigningKeys.period + SigningKeys.overlap + 1) == [old])
    #expect(keys.entries == [new])
  }

  @Test func `after a year without tokens the new key signs at once`() throws {
    let old = try entry(from: 0)
    let now = 365 * SigningKeysTests.day
    var keys = SigningKeys([old])
    #expect(keys.due(at: now) == now)
    keys.add(try entry(from: now))
    #expect(keys.signing(at: now) != old)
  }

  @Test func `of two keys from the same second the newer one signs, in whatever order others come`() throws {
    let (lost, next, later) = (try entry(from: 1_000), try entry(from: 1_000), try entry(from: 9_000))
    let keys = SigningKeys([later, lost, next])
    #expect(keys.entries == [lost, next, later])
    #expect(keys.signing(at: 1_000) == next)
  }

  @Test func `there are never too many keys, and the one that signs is not left out`() throws {
    let entries = try (0..<12).map { _ in try entry(from: 1_000) }
    var keys = SigningKeys(entries)
    #expect(keys.retire(at: 1_000) == Array(entries.prefix(12 - SigningKeys.limit)))
    #expect(keys.entries.count == SigningKeys.limit && keys.signing(at: 1_000) == entries.last)

    // A clock that was set back: the key of now is the oldest.
    let own = try entry(from: 5)
    keys.add(own)
    #expect(keys.retire(at: 5).count == 1)
    #expect(keys.signing(at: 5) == own)
  }

  @Test func `a clock that was set back signs with the oldest key, and makes no new one`() throws {
    let only = try entry(from: 1_000_000)
    let keys = SigningKeys([only])
    #expect(keys.signing(at: 5) == only)
    #expect(keys.due(at: 5) == nil)
  }
}
