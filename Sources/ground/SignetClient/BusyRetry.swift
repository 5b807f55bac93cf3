/// When a busy signetd is asked again: soon at first and then more seldom, because many may wait who were turned away together.
struct BusyRetry: Sendable {
  /// The first pause and the longest, in milliseconds.
  private static var firstPause: Int64 { 10 }
  private static var longestPause: Int64 { 200 }

  private let end: Int64
  private var pause = BusyRetry.firstPause

  /// For so many milliseconds.
  init(for limit: Int64, from now: Int64) { end = now &+ limit }

  /// The next attempt's moment; `nil` where it was tried for long enough.
  mutating func next(at now: Int64) -> Int64? {
    guard now < end else { return nil }
    defer { pause = min(pause &* 2, BusyRetry.longestPause) }
    return min(now &+ pause, end)
  }
}
