/// The wrong passcodes of one source, and what they cost.
public struct PasscodeStatus: Equatable, Sendable {
  /// In a row.
  public var wrong: Int
  /// Seconds until the next one is looked at; 0 if it is looked at now.
  public var delay: UInt64
  /// Those of all other sources, and the longest delay among them.
  public var wrongElsewhere: Int
  public var delayElsewhere: UInt64

  public init(wrong: Int, delay: UInt64, wrongElsewhere: Int, delayElsewhere: UInt64) {
    self.wrong = wrong
    self.delay = delay
    self.wrongElsewhere = wrongElsewhere
    self.delayElsewhere = delayElsewhere
  }
}

/// An account's wrong passcodes in a row by source, and the checks that are under way: one a lane. It is a part of `Lockout`.
struct PasscodeCounts: Equatable, Sendable {
  private var owner: PasscodeAttempts
  private var seat: PasscodeAttempts
  private var remote: PasscodeAttempts
  private var strangers: PasscodeAttempts
  private var each: [OfStranger]

  private struct OfStranger: Equatable, Sendable {
    var stranger: PasscodeSource.Stranger
    var attempts: PasscodeAttempts
  }

  init(_ record: PasscodeCountsRecord) {
    owner = PasscodeAttempts(record.owner)
    seat = PasscodeAttempts(record.seat)
    remote = PasscodeAttempts(record.remote)
    strangers = PasscodeAttempts(record.strangers)
    each = record.each.suffix(PasscodeCountsRecord.strangerLimit).map {
      OfStranger(stranger: $0.stranger, attempts: PasscodeAttempts($0.wrong))
    }
  }

  var durable: PasscodeCountsRecord {
    var record = PasscodeCountsRecord()
    (record.owner, record.seat, record.remote) = (owner.durable, seat.durable, remote.durable)
    record.strangers = strangers.durable
    record.each = each.map { PasscodeCountsRecord.OfStranger($0.stranger, $0.attempts.durable) }
    return record
  }

  func status(of source: PasscodeSource, at now: Moment, _ rules: PasscodeRules) -> PasscodeStatus {
    let wrong = attempts(source).wrong
    let all = [owner, seat, remote, strangers].reduce(0) { $0 + $1.wrong }
    return PasscodeStatus(
      wrong: wrong, delay: delay(of: source, at: now, rules), wrongElsewhere: max(0, all - wrong),
      delayElsewhere: delayElsewhere(than: source, at: now, rules))
  }

  private func delay(of source: PasscodeSource, at now: Moment, _ rules: PasscodeRules) -> UInt64 {
    let own = attempts(source).delay(at: now, rules, free: rules.freeAttempts)
    guard case .stranger = source else { return own }
    return max(own, strangers.delay(at: now, rules, free: rules.freeAttemptsOfStrangers))
  }

  /// The longest delay of any other source.
  private func delayElsewhere(than source: PasscodeSource, at now: Moment, _ rules: PasscodeRules) -> UInt64 {
    // A stranger of whom nothing is known has the delay of all strangers together.
    let others = [.owner, .seat, .remote, .stranger(.unknown)] + each.map { PasscodeSource.stranger($0.stranger) }
    return others.filter { $0 != source }.map { delay(of: $0, at: now, rules) }.max() ?? 0
  }

  /// The value while a passcode is checked; `nil` where it has to wait, or one of its lane is being checked.
  func begun(_ source: PasscodeSource, at now: Moment, _ rules: PasscodeRules) -> PasscodeCounts? {
    guard delay(of: source, at: now, rules) == 0 else { return nil }
    return changed(source) { $0.begun(at: now) }
  }

  /// The value after the checked passcode was wrong. The delay begins now.
  func failed(_ source: PasscodeSource, at now: Moment) -> PasscodeCounts? { changed(source) { $0.failed(at: now) } }

  func undecided(_ source: PasscodeSource) -> PasscodeCounts? { changed(source) { $0.undecided() } }

  /// The value without wrong passcodes. Checks that are under way go on, and still count until their outcomes are known.
  func forgiven() -> PasscodeCounts {
    var next = self
    (next.owner, next.seat, next.remote) = (owner.forgiven(), seat.forgiven(), remote.forgiven())
    next.strangers = strangers.forgiven()
    next.each = each.filter(\.attempts.isChecking).map { OfStranger(stranger: $0.stranger, attempts: $0.attempts.forgiven()) }
    return next
  }

  /// The value after the checked passcode was right: whoever entered it, nothing that was wrong before counts any more.
  func verified(_ source: PasscodeSource) -> PasscodeCounts? { changed(source) { $0.undecided() }?.forgiven() }

  /// The value where another record is found on disk. Of a lane in which a check is under way memory knows more.
  func reloaded(_ record: PasscodeCountsRecord) -> PasscodeCounts {
    var next = PasscodeCounts(record)
    if owner.isChecking { next.owner = owner }
    if seat.isChecking { next.seat = seat }
    if remote.isChecking { next.remote = remote }
    if strangers.isChecking { (next.strangers, next.each) = (strangers, each) }
    return next
  }

  private func attempts(_ source: PasscodeSource) -> PasscodeAttempts {
    switch source {
    case .owner: owner
    case .seat: seat
    case .remote: remote
    case .stranger(let stranger): each.first { $0.stranger == stranger }?.attempts ?? PasscodeAttempts()
    }
  }

  private func changed(_ source: PasscodeSource, _ change: (PasscodeAttempts) -> PasscodeAttempts?) -> PasscodeCounts? {
    guard let attempts = change(attempts(source)) else { return nil }
    var next = self
    switch source {
    case .owner: next.owner = attempts
    case .seat: next.seat = attempts
    case .remote: next.remote = attempts
    case .stranger(let stranger):
      guard let strangers = change(strangers) else { return nil }
      next.strangers = strangers
      next.keep(OfStranger(stranger: stranger, attempts: attempts))
    }
    return next
  }

  /// Puts a stranger behind all others, and leaves out who has nothing wrong and, where there are too many, the first.
  private mutating func keep(_ latest: OfStranger) {
    each.removeAll { $0.stranger == latest.stranger }
    if latest.attempts != PasscodeAttempts() { each.append(latest) }
    if each.count > PasscodeCountsRecord.strangerLimit { each.removeFirst() }
  }
}
