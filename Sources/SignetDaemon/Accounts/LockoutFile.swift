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

  package func encoded(uid: UInt32) throws(FormatError) -> [UInt8] {
    try Record.encode(.strikes, uid: uid, limit: LockoutFile.limit) { packet throws(FormatError) in
      try packet.put(UInt8(clamping: record.strikes))
      try packet.put(UInt8(clamping: record.wrongPasscodes))
      try packet.put(UInt8(clamping: record.poorScans))
      try packet.put(record.isLockRequested ? 1 : 0)
      try packet.put(sequence, size: 8)
      for moment in [record.lastWrongPasscode, record.lastPasscode, record.lastFingerprint] { try packet.put(moment) }
    }
  }

  package init(sequence: UInt64, record: LockoutRecord) {
    self.sequence = sequence
    self.record = record
  }

  package init(decoding bytes: [UInt8], uid: UInt32) throws(FormatError) {
    self = try Record.decode(.strikes, uid: uid, bytes) { fields throws(FormatError) in
      var record = LockoutRecord()
      record.strikes = Int(try fields.byte())
      record.wrongPasscodes = Int(try fields.byte())
      record.poorScans = Int(try fields.byte())
      record.isLockRequested = try fields.flag()
      let sequence = try fields.uint64()
      guard sequence <= LockoutFile.lastSequence else { throw .badValue }
      record.lastWrongPasscode = try fields.moment()
      record.lastPasscode = try fields.moment()
      record.lastFingerprint = try fields.moment()
      return LockoutFile(sequence: sequence, record: record)
    }
  }
}

extension SecretBytes {
  /// A flag, and where it is 1 the boot (16 bytes, behind a flag of its own), the boot clock and the wall clock.
  fileprivate mutating func put(_ moment: Moment?) throws(FormatError) {
    try put(moment == nil ? 0 : 1)
    guard let moment else { return }
    try put(moment.boot == nil ? 0 : 1)
    if let boot = moment.boot {
      try put(boot.high, size: 8)
      try put(boot.low, size: 8)
    }
    try put(moment.sinceBoot, size: 8)
    try put(moment.wall, size: 8)
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func moment() throws(FormatError) -> Moment? {
    guard try flag() else { return nil }
    let boot = try flag() ? Moment.Boot(high: try uint64(), low: try uint64()) : nil
    return Moment(boot: boot, sinceBoot: try uint64(), wall: try uint64())
  }
}
