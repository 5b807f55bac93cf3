import SignetContexts
import SignetVocabulary
import Testing

@testable import SignetState

/// What the fingers' standing comes to, as it is told.
@Suite struct StandingTests {
  private static let start = ContinuousClock.now
  private static func usable(_ fingers: [UInt8] = [1]) -> BiometryReport {
    BiometryReport(.usable, .none, .success, domainState: fingers)
  }

  private func confirmed() -> Standing {
    var standing = Standing()
    standing.heard(Self.usable())
    standing.confirm(at: Self.start)
    return standing
  }

  @Test func `nothing is known before signetd has said something`() {
    var standing = Standing()
    standing.confirm(at: Self.start)
    #expect(standing.state == nil)
    standing.heard(Self.usable())
    #expect(standing.state == .unconfirmed)
  }

  @Test func `the owner is confirmed for five minutes, and no longer`() {
    var standing = confirmed()
    standing.elapsed(to: Self.start + .milliseconds(299_999))
    #expect(standing.state == .confirmed)
    standing.elapsed(to: Self.start + .seconds(300))
    #expect(standing.state == .unconfirmed)
  }

  @Test func `a second proof counts anew`() {
    var standing = confirmed()
    standing.confirm(at: Self.start + .seconds(200))
    standing.elapsed(to: Self.start + .seconds(400))
    #expect(standing.state == .confirmed)
    standing.elapsed(to: Self.start + .seconds(500))
    #expect(standing.state == .unconfirmed)
  }

  @Test func `a lock, other fingers, no signetd and a context that was given up take it back`() {
    let locked = BiometryReport(.lockout, .strikes, .biometryLockout, domainState: [1])
    for reports in [[locked], [.unreachable], [Self.usable([2])]] {
      var standing = confirmed()
      for report in reports + [Self.usable()] { standing.heard(report) }
      #expect(standing.state == .unconfirmed)
    }
    var standing = confirmed()
    standing.revoke()
    #expect(standing.state == .unconfirmed)
  }
}
