import SignetContexts
import SignetVocabulary

/// What is known of the fingers, and what that comes to. A value without threads: `BiometryMonitor` feeds it.
struct BiometryStatus {
  private var report: BiometryReport?
  /// The enrolled fingers when the owner was confirmed, and until when that counts; `nil`: they were not.
  private var confirmed: (fingers: [UInt8], end: ContinuousClock.Instant)?

  /// As long as signetd keeps for a context what was proved in it.
  static let lifetime = Duration.seconds(300)

  /// `nil` until signetd has said something.
  var state: BiometryState? {
    guard let report else { return nil }
    switch report.state {
    case .lockout: return .lockdown
    case .notWorking: return .notWorking
    case .usable: return confirmed == nil ? .unconfirmed : .confirmed
    }
  }

  /// signetd says how the fingers stand. A lock that is opened by the very passcode that confirmed the owner takes nothing back.
  mutating func heard(_ report: BiometryReport) {
    let isWorse = report.state != .usable && report.state != self.report?.state
    if isWorse || report.domainState != confirmed?.fingers { confirmed = nil }
    self.report = report
  }

  /// The owner proved to be there.
  mutating func confirm(at now: ContinuousClock.Instant) {
    confirmed = report.map { ($0.domainState, now + BiometryStatus.lifetime) }
  }

  /// Time has passed, also that of a sleep.
  mutating func elapsed(to now: ContinuousClock.Instant) {
    if let confirmed, now >= confirmed.end { self.confirmed = nil }
  }

  /// The context in which they did was given up.
  mutating func revoke() { confirmed = nil }
}
