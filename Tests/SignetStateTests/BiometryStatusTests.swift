import SignetContexts
import SignetVocabulary
import Testing

@testable import SignetState

/// What the fingers' standing comes to, as it is told.
@Suite struct BiometryStatusTests {
  private static let start = ContinuousClock.now
  private static func usable(_ fingers: [UInt8] = [1]) -> BiometryReport {
    BiometryReport(.usable, .none, .success, domainState: fingers)
  }

  private func confirmed() -> BiometryStatus {
    var status = BiometryStatus()
    status.heard(Self.usable())
    status.confirm(at: Self.start)
    return status
  }

  @Test func `nothing is known before signetd has said something`() {
    var status = BiometryStatus()
    status.confirm(at: Self.start)
    #expect(status.state == nil)
    status.heard(Self.usable())
    #expect(status.state == .unconfirmed)
  }

  @Test func `the owner is confirmed for five minutes, and no longer`() {
    var status = confirmed()
    status.elapsed(to: Self.start + .milliseconds(299_999))
    #expect(status.state == .confirmed)
    status.elapsed(to: Self.start + .seconds(300))
    #expect(status.state == .unconfirmed)
  }

  @Test func `a second proof counts anew`() {
    var status = confirmed()
    status.confirm(at: Self.start + .seconds(200))
    status.elapsed(to: Self.start + .seconds(400))
    #expect(status.state == .confirmed)
    status.elapsed(to: Self.start + .seconds(500))
    #expect(status.state == .unconfirmed)
  }

  @Test func `a lock, other fingers, no signetd and a context that was given up take it back`() {
    let locked = BiometryReport(.lockout, .strikes, .biometryLockout, domainState: [1])
    for reports in [[locked], [.unreachable], [Self.usable([2])]] {
      var status = confirmed()
      for report in reports + [Self.usable()] { status.heard(report) }
      #expect(status.state == .unconfirmed)
    }
    var status = confirmed()
    status.revoke()
    #expect(status.state == .unconfirmed)
  }
}
