import SignetAuthentication
import SignetBytes
import SignetMemory

/// A user's lockout as a state file has it.
package struct LockoutFile: Equatable, Sendable {
  /// Grows with every write, so that an older copy is known as one.
  package var sequence: UInt64
  package var record: LockoutRecord

  package static let limit = 1024
  /// No file that signetd wrote has a higher number; above it there are as many again for the next writes.
  package static let lastSequence = UInt64(1) << 63

  package init(sequence: UInt64, record: LockoutRecord) {
    self.sequence = sequence
    self.record = record
  }

  package func encoded(uid: UInt32) throws(FormatError) -> [UInt8] {
    try Record.encode(.strikes, uid: uid, limit: LockoutFile.limit) { packet throws(FormatError) in
      var file = try packet.passed(self)
      try file.record.passUnseenCancels(&packet)
    }
  }

  package init(decoding bytes: [UInt8], uid: UInt32) throws(FormatError) {
    self = try Record.decode(.strikes, uid: uid, bytes) { fields, version throws(FormatError) in
      if version == 1 { return try fields.passed(FirstForm()).file }
      var file = try fields.passed(LockoutFile(sequence: 0, record: LockoutRecord()))
      if version > 2 { try file.record.passUnseenCancels(&fields) }
      return file
    }
    guard sequence <= LockoutFile.lastSequence else { throw .badValue }
  }
}

extension LockoutFile: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    record.strikes = Int(try fields.passed(UInt8(clamping: record.strikes)))
    record.poorScans = Int(try fields.passed(UInt8(clamping: record.poorScans)))
    record.isLockRequested = try fields.passed(record.isLockRequested)
    sequence = try fields.passed(sequence)
    record.lastPasscode = try fields.passed(record.lastPasscode)
    record.lastFingerprint = try fields.passed(record.lastFingerprint)
    record.wrongPasscodes = try fields.passed(record.wrongPasscodes)
  }
}

extension LockoutRecord {
  /// Behind all else, since version 3.
  fileprivate mutating func passUnseenCancels(_ fields: inout some AnyFieldPass) throws(FormatError) {
    unseenCancels = Int(try fields.passed(UInt8(clamping: unseenCancels)))
  }
}

/// The form of version 1, which counted wrong passcodes without asking where they came from. They count for each source then:
/// who had to wait before signetd was replaced has to wait after.
private struct FirstForm: FieldForm {
  var file = LockoutFile(sequence: 0, record: LockoutRecord())

  mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    var all = WrongPasscodes()
    file.record.strikes = Int(try fields.passed(UInt8(clamping: file.record.strikes)))
    all.count = Int(try fields.passed(UInt8(clamping: all.count)))
    file.record.poorScans = Int(try fields.passed(UInt8(clamping: file.record.poorScans)))
    file.record.isLockRequested = try fields.passed(file.record.isLockRequested)
    file.sequence = try fields.passed(file.sequence)
    all.latest = try fields.passed(all.latest)
    file.record.lastPasscode = try fields.passed(file.record.lastPasscode)
    file.record.lastFingerprint = try fields.passed(file.record.lastFingerprint)
    file.record.wrongPasscodes = PasscodeCountsRecord(ofAll: all)
  }
}

extension PasscodeCountsRecord: FieldForm {
  /// Which strangers they were is not known, so all together have as many left as each of them had.
  fileprivate init(ofAll all: WrongPasscodes) {
    self.init()
    (owner, seat, remote, strangers) = (all, all, all, all)
    let rules = PasscodeRules()
    let more = rules.freeAttemptsOfStrangers - rules.freeAttempts
    if all.count > 0 { strangers.count = min(all.count + more, Int(UInt8.max)) }
  }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    owner = try fields.passed(owner)
    seat = try fields.passed(seat)
    remote = try fields.passed(remote)
    strangers = try fields.passed(strangers)
    let count = Int(try fields.passed(UInt8(clamping: each.count)))
    guard count <= PasscodeCountsRecord.strangerLimit else { throw .tooLong }
    // Where the record is read there is none yet, whatever its number says.
    let blank = OfStranger(.unknown, WrongPasscodes())
    var passed: [OfStranger] = []
    for index in 0..<count { passed.append(try fields.passed(index < each.count ? each[index] : blank)) }
    guard Set(passed.map(\.stranger)).count == count else { throw .badValue }
    each = passed
  }
}

extension WrongPasscodes: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    count = Int(try fields.passed(UInt8(clamping: count)))
    latest = try fields.passed(latest)
  }
}

extension PasscodeCountsRecord.OfStranger: FieldForm {
  /// A flag, and where it is 1 the uid; 0 for those of whom nobody knows who they are.
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    var uid: UInt32?
    if case .user(let user) = stranger { uid = user }
    stranger = try fields.passed(uid != nil) ? .user(try fields.passed(uid ?? 0)) : .unknown
    wrong = try fields.passed(wrong)
  }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// A flag, and where it is 1 the boot (16 bytes, behind a flag of its own), the boot clock and the wall clock.
  @_lifetime(self: copy self)
  fileprivate mutating func passed(_ moment: Moment?) throws(FormatError) -> Moment? {
    guard try passed(moment != nil) else { return nil }
    return Moment(
      boot: try passed(moment?.boot), sinceBoot: try passed(moment?.sinceBoot ?? 0), wall: try passed(moment?.wall ?? 0))
  }

  @_lifetime(self: copy self)
  private mutating func passed(_ boot: Moment.Boot?) throws(FormatError) -> Moment.Boot? {
    guard try passed(boot != nil) else { return nil }
    return Moment.Boot(high: try passed(boot?.high ?? 0), low: try passed(boot?.low ?? 0))
  }
}
