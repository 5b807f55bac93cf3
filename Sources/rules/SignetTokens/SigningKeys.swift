/// Which of the issuer's keys signs, and which are made known, at a moment. A value without I/O; times are seconds since 1970.
///
/// Each key is made known some time before it signs, and for some time after it signed last, so that whoever keeps the set of keys for
/// an hour knows each key when a token comes that it signed, and as long as one is valid.
///
/// A key that cannot sign any more is not taken out: another one that signs from now on comes after it, and so it stays known as
/// long as its tokens may be valid. Nobody could know of that before; who finds a key's name that is new asks again.
public struct SigningKeys: Sendable {
  /// How long a key signs: 30 days.
  public static let period: UInt64 = 30 * 86_400
  /// How long a key is known before it signs, and after: a day.
  public static let overlap: UInt64 = 86_400
  /// How many keys are known at most. Three by themselves; more only where keys are lost, one after the other, within a day.
  public static let limit = 8

  /// One key, by what is public of it.
  public struct Entry: Equatable, Sendable {
    public var key: ES256PublicKey
    /// From when on it signs, until the next one does.
    public var from: UInt64

    public init(key: ES256PublicKey, from: UInt64) {
      self.key = key
      self.from = from
    }
  }

  /// In the order of their times.
  public private(set) var entries: [Entry]

  public init(_ entries: [Entry] = []) {
    self.entries = []
    for entry in entries { add(entry) }
  }

  /// The key that signs; `nil` where none does yet. A clock that was set back to before the first key changes nothing.
  public func signing(at now: UInt64) -> Entry? { entries.last { $0.from <= now } ?? entries.first }

  /// From when on the next new key is to sign, where it is time to make one known; `nil` otherwise.
  public func due(at now: UInt64) -> UInt64? {
    guard let last = entries.last else { return now }
    // After a long time without a token the new key signs at once: nobody can know it, and none has the old one's tokens.
    let next = last.from + SigningKeys.period
    guard now + SigningKeys.overlap >= next else { return nil }
    return max(now, next)
  }

  /// Of two keys from the same second the one that was added last signs.
  public mutating func add(_ entry: Entry) {
    let place = entries.firstIndex { $0.from > entry.from } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  /// Forgets the keys whose last tokens have expired, and the oldest where there are too many, and returns them.
  public mutating func retire(at now: UInt64) -> [Entry] {
    var retired: [Entry] = []
    while entries.count > 1, entries[1].from + SigningKeys.overlap < now { retired.append(entries.removeFirst()) }
    while entries.count > SigningKeys.limit, let index = entries.firstIndex(where: { $0 != signing(at: now) }) {
      retired.append(entries.remove(at: index))
    }
    return retired
  }

  /// The set of public keys (RFC 7517).
  public var jwks: String { "{\"keys\":[" + entries.map(\.key.jwk).joined(separator: ",") + "]}" }
}
