/// One source's wrong passcodes in a row, and the check that is under way. It is a part of `PasscodeCounts`.
struct PasscodeAttempts: Equatable, Sendable {
  /// Wrong passcodes in a row. One that is being checked counts already, so that killing the check does not make it free.
  private(set) var wrong: Int
  /// When the latest of them was entered.
  private(set) var latest: Moment?
  private var before: Before?

  /// The values before the check that is under way. They hold again if the check cannot decide.
  private struct Before: Equatable, Sendable {
    var wrong: Int
    var latest: Moment?
  }

  init(wrong: Int = 0, latest: Moment? = nil) {
    self.wrong = max(0, wrong)
    self.latest = latest
  }

  /// From what is stored.
  init(_ record: WrongPasscodes) { self.init(wrong: record.count, latest: record.latest) }

  var durable: WrongPasscodes { WrongPasscodes(wrong, latest: latest) }

  var isChecking: Bool { before != nil }

  /// `free`: from how many wrong ones on the next has to wait.
  func delay(at now: Moment, _ rules: PasscodeRules, free: Int) -> UInt64 {
    guard wrong >= free, let last = rules.delays.last, let latest else { return 0 }
    let index = wrong - free
    let delay = index < rules.delays.count ? rules.delays[index] : last
    let passed = now.secondsAtLeast(since: latest)
    return passed < delay ? delay - passed : 0
  }

  /// The value while a passcode is checked; `nil` where another one is being checked.
  func begun(at now: Moment) -> PasscodeAttempts? {
    guard before == nil else { return nil }
    var next = PasscodeAttempts(wrong: min(wrong, 1_000) + 1, latest: now)
    next.before = Before(wrong: wrong, latest: latest)
    return next
  }

  /// The value after the checked passcode was wrong. The delay begins now.
  func failed(at now: Moment) -> PasscodeAttempts? { before.map { _ in PasscodeAttempts(wrong: wrong, latest: now) } }

  func undecided() -> PasscodeAttempts? { before.map { PasscodeAttempts(wrong: $0.wrong, latest: $0.latest) } }

  /// The value with no wrong passcodes. A check that is under way goes on, and still counts until its outcome is known.
  func forgiven() -> PasscodeAttempts {
    var next = PasscodeAttempts(wrong: before == nil ? 0 : 1, latest: before == nil ? nil : latest)
    next.before = before.map { _ in Before(wrong: 0, latest: nil) }
    return next
  }
}
