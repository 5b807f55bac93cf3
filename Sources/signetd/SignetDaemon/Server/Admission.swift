import DaemonConnections
import SignetAuthentication
import SignetVocabulary

/// Who is served and who has to go, as a value without I/O: every connection counts for whoever is behind it.
///
/// No source has more than its share. Where all places are taken, whoever has few displaces whoever has most, so that nobody is
/// turned away because of somebody else's connections. The system's services, which let people in, are never displaced.
struct Admission {
  typealias Source = RequestOrigin.Source

  struct Limits {
    var slots: ConnectionLimiter.Limits
    /// Places besides, for requests that give control back to their user (`signet lock`): full prompts must not keep them out.
    var control: ConnectionLimiter.Limits
    /// How many connections a source may make at once, and how many a second for long, 1,000 at most; 0 for any number. Services may
    /// always connect, and whoever logged in as root.
    var burst: Int64
    var rate: Int64

    static let standard = Limits(
      slots: ConnectionLimiter.Limits(user: 16, services: 48, all: 128),
      control: ConnectionLimiter.Limits(user: 4, services: 4, all: 16), burst: 100,
      rate: 20)
  }

  struct Entry: Equatable {
    var number: UInt64
    var isForControl = false
    /// Who has to go for it.
    var displaced: UInt64?
  }

  /// Those who were displaced are served until they notice. So many at a time: their threads are there until then.
  static let leavingLimit = 128

  private let limits: Limits
  private var slots: ConnectionLimiter
  private var control: ConnectionLimiter
  private var leaving: Set<UInt64> = []
  private var buckets: [Source: TokenBucket] = [:]
  private var lastNumber: UInt64 = 0

  init(_ limits: Limits = .standard) {
    self.limits = limits
    slots = ConnectionLimiter(limits.slots)
    control = ConnectionLimiter(limits.control)
  }

  var isEmpty: Bool { slots.isEmpty && control.isEmpty && leaving.isEmpty }

  /// Somebody connects, at a moment in milliseconds; `nil` where there is no place. Contexts that ask nothing go first, and then those
  /// who wait for somebody to type. `use`: what a connection does with its place.
  mutating func arrive(from source: Source, at now: Int64, use: (UInt64) -> ConnectionSlot.Use) -> Entry? {
    guard takeToken(of: source, at: now), leaving.count < Admission.leavingLimit else { return nil }
    lastNumber += 1
    let number = lastNumber
    if let way = slots.enter(number, from: source, at: now, use) {
      return entry(number, by: way)
    }
    // What it asks is not known before it is there. Anything but control is turned away then.
    return control.enter(number, from: source, at: now, use).map { way in
      var entry = entry(number, by: way)
      entry.isForControl = true
      return entry
    }
  }

  private mutating func entry(_ number: UInt64, by way: ConnectionLimiter.Way) -> Entry {
    guard case .displacing(let other) = way else { return Entry(number: number) }
    leaving.insert(other)
    return Entry(number: number, displaced: other)
  }

  /// Whether a source has used up how often it may connect, so that nothing more has to be known of who comes.
  func isSpent(_ source: Source, at now: Int64) -> Bool { buckets[source].map { $0.wait(at: now) > 0 } ?? false }

  /// A connection is over.
  mutating func leave(_ number: UInt64) {
    leaving.remove(number)
    slots.leave(number)
    control.leave(number)
  }

  private mutating func takeToken(of source: Source, at now: Int64) -> Bool {
    // Root could stop signetd as well.
    guard limits.rate > 0, source != .service, source != .user(0) else { return true }
    // A user may have thousands of uids (subuid(5)); those who are quiet again are not remembered.
    if buckets.count >= 1024 { buckets = buckets.filter { !$0.value.isFull(at: now) } }
    return buckets[source, default: TokenBucket(burst: limits.burst, period: 1_000 / limits.rate, at: now)].take(at: now)
  }
}
