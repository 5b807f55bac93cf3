/// A user's wrong passcodes in a row, and the check that is under way: a part of `Lockout`.
struct PasscodeAttempts: Equatable, Sendable {
  /// Wrong ones; one that is being checked is among them, so that ending the check from outside does not save it.
  private(set) var wrong: Int
  /// When the latest of them was entered.
  private(set) var latest: Moment?
  private var before: Before?

  /// What to return to where a check could not decide.
  private struct Before: Equatable, Sendable {
    var wrong: Int
    var latest: Moment?
  }

  init(wrong: Int, latest: Moment?) {
    self.wrong = max(0, wrong)
    self.latest = latest
  }

  var isChecking: Bool { before != nil }

  /// Seconds until the next passcode may be looked at, 0 for now.
  func delay(at now: Moment, _ rules: PasscodeRules) -> UInt64 {
    guard wrong >= rules.freeAttempts, let last = rules.delays.last, let latest else { return 0 }
    let index = wrong - rules.freeAttempts
    let delay = index < rules.delays.count ? rules.delays[index] : last
    let passed = now.secondsAtLeast(since: latest)
    return passed < delay ? delay - passed : 0
  }

  /// A passcode is about to be checked; `nil` where it has to wait, or another one is being checked.
  func begun(at now: Moment, _ rules: PasscodeRules) -> PasscodeAttempts? {
    guard before == nil, delay(at: now, rules) == 0 else { return nil }
    var next = PasscodeAttempts(wrong: min(wrong, 1_000) + 1, latest: now)
    next.before = Before(wrong: wrong, latest: latest)
    return next
  }

  /// It is wrong. The waiting begins now.
  func failed(at now: Moment) -> PasscodeAttempts? { before.map { _ in PasscodeAttempts(wrong: wrong, latest: now) } }

  /// The check could not decide.
  func undecided() -> PasscodeAttempts? { before.map { PasscodeAttempts(wrong: $0.wrong, latest: $0.latest) } }

  /// None counts any more. A check that is under way stays one: its outcome is still to come.
  func forgiven() -> PasscodeAttempts {
    var next = PasscodeAttempts(wrong: before == nil ? 0 : 1, latest: before == nil ? nil : latest)
    next.before = before.map { _ in Before(wrong: 0, latest: nil) }
    return next
  }

  /// It is right.
  func verified() -> PasscodeAttempts? { before.map { _ in PasscodeAttempts(wrong: 0, latest: nil) } }
}
