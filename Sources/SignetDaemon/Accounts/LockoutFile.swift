import SignetAuthentication
import SignetBytes
import SignetMemory

/// A user's lockout as a state file has it.
package struct LockoutFile: Equatable, Sendable {
  /// Grows with every write, so that an older copy is known as one.
  package var sequence: UInt64
  package var record: LockoutRecord

  package static let limit = 256
  /// No file that signetd wrote has a higher number; above it there are as many again for the next writes.
  package static let lastSequence = UInt64(1) << 63

  package init(sequence: UInt64, record: LockoutRecord) {
    self.sequence = sequence
    self.record = record
  }

  package func encoded(uid: UInt32) throws(FormatError) -> [UInt8] {
    try Record.encode(.strikes, uid: uid, limit: LockoutFile.limit) { packet throws(FormatError) in _ = try packet.passed(self) }
  }

  package init(decoding bytes: [UInt8], uid: UInt32) throws(FormatError) {
    self = try Record.decode(.strikes, uid: uid, bytes) { fields throws(FormatError) in
      try fields.passed(LockoutFile(sequence: 0, record: LockoutRecord()))
    }
    guard sequence <= LockoutFile.lastSequence else { throw .badValue }
  }
}

extension LockoutFile: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    record.strikes = Int(try fields.passed(UInt8(clamping: record.strikes)))
    record.wrongPasscodes = Int(try fields.passed(UInt8(clamping: record.wrongPasscodes)))
    record.poorScans = Int(try fields.passed(UInt8(clamping: record.poorScans)))
    record.isLockRequested = try fields.passed(record.isLockRequested)
    sequence = try fields.passed(sequence)
    record.lastWrongPasscode = try fields.passed(record.lastWrongPasscode)
    record.lastPasscode = try fields.passed(record.lastPasscode)
    record.lastFingerprint = try fields.passed(record.lastFingerprint)
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
