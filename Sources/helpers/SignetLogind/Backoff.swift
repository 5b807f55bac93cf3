/// How long to wait before the bus, or signetd, is tried again: twice as long each time, to a minute.
struct Backoff: Equatable {
  private static let longest: UInt32 = 60

  private var seconds: UInt32 = 1

  /// The wait before the next try, in seconds.
  mutating func next() -> UInt32 {
    defer { seconds = min(seconds * 2, Backoff.longest) }
    return seconds
  }

  /// It worked.
  mutating func reset() { seconds = 1 }
}
