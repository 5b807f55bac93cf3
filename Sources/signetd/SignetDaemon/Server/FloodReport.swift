/// What the log says of something that may happen very often: the first time at once, then once a minute how often it was.
struct FloodReport<Subject: Hashable & Sendable> {
  private struct Count {
    var unreported = 0
    var lastReport: Int64
  }

  /// In milliseconds.
  private static var interval: Int64 { 60_000 }

  private var counts: [Subject: Count] = [:]

  /// It happened; whether to say so at once.
  mutating func add(_ subject: Subject, at now: Int64) -> Bool {
    guard counts[subject] != nil else {
      counts[subject] = Count(lastReport: now)
      return true
    }
    counts[subject]?.unreported += 1
    return false
  }

  /// Whether there is something to be said later.
  var hasMore: Bool { counts.values.contains { $0.unreported > 0 } }

  /// What is to be said now, with how often it happened since the last time. Whoever was quiet for a minute is forgotten.
  mutating func due(at now: Int64) -> [(subject: Subject, count: Int)] {
    let due = counts.filter { now - $0.value.lastReport >= Self.interval }
    for (subject, count) in due {
      counts[subject] = count.unreported > 0 ? Count(lastReport: now) : nil
    }
    return due.filter { $0.value.unreported > 0 }.map { ($0.key, $0.value.unreported) }
  }
}
