import Dispatch
import SignetAuthentication
import Testing

@testable import DaemonService

/// What anybody may cause as often as they like, and how many lines of the log that takes.
@Suite struct LogSharesTests {
  private static let limits = LogShares.ofUser
  private let mallory = RequestOrigin.Source.user(2000)
  private let alice = RequestOrigin.Source.user(1000)

  /// How many lines there are, and what was told of the others.
  private func cause(
    _ kind: String, by origin: RequestOrigin.Source, times: Int, in shares: inout LogShares, at now: Int64 = 0
  ) -> (lines: Int, sums: [LogShares.Sum]) {
    var (lines, sums) = (0, [LogShares.Sum]())
    for _ in 0..<times {
      let answer = shares.admit(kind, by: origin, at: now)
      if answer.isWritten { lines += 1 }
      sums += answer.sums
    }
    return (lines, sums)
  }

  private func sum(_ count: Int, _ kind: String = "ended", by origin: RequestOrigin.Source? = .user(2000)) -> LogShares.Sum {
    LogShares.Sum(origin: origin, kind: kind, count: count)
  }

  @Test func `what is beyond a share is counted, and hides nothing else that they do, nor what others do`() {
    var shares = LogShares()
    let flood = cause("ended", by: mallory, times: 33_000, in: &shares)
    #expect(flood.lines == Self.limits.ofKind)
    #expect(flood.sums == [1, 10, 100, 1_000, 10_000].map { sum($0) })
    #expect(cause("refused", by: mallory, times: 1, in: &shares).lines == 1)
    for other in [alice, .service, .unknown, .user(0)] {
      #expect(cause("ended", by: other, times: Self.limits.ofKind, in: &shares).lines == Self.limits.ofKind)
    }
    #expect(shares.end() == [sum(33_000 - Self.limits.ofKind)])
    #expect(shares.end().isEmpty)
  }

  @Test func `messages without end of one user are few lines`() {
    var (shares, lines, sums) = (LogShares(), 0, 0)
    for number in 0..<10_000 {
      let answer = cause("the state cannot be used: \(number)", by: mallory, times: 2, in: &shares)
      lines += answer.lines
      sums += answer.sums.count
    }
    #expect(lines <= Self.limits.ofAll && sums <= 5 * (Self.limits.kinds + 1))
    #expect(cause("ended", by: alice, times: 1, in: &shares).lines == 1)
  }

  @Test func `thousands of uids of one person have one share together, and take nothing from services`() {
    var (shares, lines) = (LogShares(), 0)
    for uid in 100_000..<110_000 as Range<UInt32> {
      for kind in ["ended", "refused"] { lines += cause(kind, by: .user(uid), times: 3, in: &shares).lines }
    }
    #expect(lines <= LogShares.users * 6 + Self.limits.ofAll)
    #expect(cause("ended", by: .service, times: 100, in: &shares).lines == 100)
    #expect(shares.end().allSatisfy { $0.origin == nil })
  }

  @Test func `an hour later the rest is told, and the share begins anew`() {
    var shares = LogShares()
    _ = cause("ended", by: mallory, times: Self.limits.ofKind + 15, in: &shares)
    #expect(cause("ended", by: mallory, times: 1, in: &shares, at: LogShares.window - 1).lines == 0)
    let later = cause("ended", by: mallory, times: 1, in: &shares, at: LogShares.window)
    #expect(later.lines == 1 && later.sums == [sum(16)])
  }

  @Test(arguments: [nil, .service, .unknown, .user(0), .user(2000), .user(.max)] as [RequestOrigin.Source?])
  func `a thread works for whom the one works that started it`(origin: RequestOrigin.Source?) throws {
    let done = DispatchSemaphore(value: 0)
    let isStarted = startThread {
      ThreadOrigin.present = origin
      _ = startThread {
        if ThreadOrigin.present == origin { done.signal() }
      }
    }
    #expect(isStarted && ThreadOrigin.present == nil)
    #expect(done.wait(timeout: .now() + 20) == .success)
  }
}
