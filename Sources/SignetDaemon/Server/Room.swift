import SignetAuthentication

/// A number of places, shared out by source: whoever has few goes before whoever has many.
struct Room {
  typealias Source = Asker.Source

  struct Limits {
    /// Of one user, and of whoever nobody knows.
    var user: Int
    /// Of the system's services together.
    var services: Int
    var all: Int
  }

  enum Way: Equatable {
    case free
    /// Somebody has to go for it.
    case displacing(UInt64)
  }

  private struct Guest {
    let number: UInt64
    let source: Source
  }

  private let limits: Limits
  /// In the order in which they came.
  private var guests: [Guest] = []

  init(_ limits: Limits) { self.limits = limits }

  var isEmpty: Bool { guests.isEmpty }

  /// Takes a place, if need be somebody else's; `nil` where none is due to the source.
  mutating func enter(_ number: UInt64, from source: Source, _ waitsForTyping: (UInt64) -> Bool) -> Way? {
    let counts = guests.reduce(into: [Source: Int]()) { $0[$1.source, default: 0] += 1 }
    let own = counts[source, default: 0]
    guard own < (source == .service ? limits.services : limits.user) else { return nil }
    if guests.count < limits.all {
      guests.append(Guest(number: number, source: source))
      return .free
    }
    guard let other = displaced(by: source, having: own, counts, waitsForTyping) else { return nil }
    leave(other)
    guests.append(Guest(number: number, source: source))
    return .displacing(other)
  }

  mutating func leave(_ number: UInt64) { guests.removeAll { $0.number == number } }

  private func displaced(
    by source: Source, having own: Int, _ counts: [Source: Int], _ waitsForTyping: (UInt64) -> Bool
  ) -> UInt64? {
    let most = counts.filter { $0.key != .service && $0.key != source }.values.max() ?? 0
    // Who has none always gets one. Beyond that the other must not have fewer than this one afterwards, or the two would displace
    // each other for ever.
    guard source == .service || own == 0 || own + 1 < most else { return nil }
    let candidates = guests.filter { $0.source != .service && $0.source != source && counts[$0.source] == most }
    return (candidates.first { waitsForTyping($0.number) } ?? candidates.first)?.number
  }
}
