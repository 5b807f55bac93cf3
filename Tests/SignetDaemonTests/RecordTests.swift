import SignetAuthentication
import SignetBytes
import SignetDigest
import SignetMemory
import Testing

@testable import DaemonService
@testable import DaemonAccounts
@testable import SignetDaemon

@Suite struct RecordTests {
  @Test func `a lockout reads back as it was written, with and without its moments`() throws {
    var record = LockoutRecord()
    record.strikes = 4
    #expect(try echo(LockoutFile(sequence: 1, record: record)) == LockoutFile(sequence: 1, record: record))
    let moment = Moment(boot: nil, sinceBoot: 1, wall: 2)
    record.wrongPasscodes.owner = WrongPasscodes(255, latest: moment)
    record.wrongPasscodes.seat = WrongPasscodes(1)
    record.wrongPasscodes.remote = WrongPasscodes(2, latest: Moment(boot: Moment.Boot(high: 1, low: 2), sinceBoot: 3, wall: 4))
    record.wrongPasscodes.strangers = WrongPasscodes(3, latest: moment)
    let boot = Moment(boot: Moment.Boot(high: .max, low: .max), sinceBoot: .max, wall: .max)
    record.wrongPasscodes.each =
      [.init(.unknown, WrongPasscodes(255, latest: boot))]
      + (1..<UInt32(PasscodeCountsRecord.strangerLimit)).map { .init(.user(.max - $0), WrongPasscodes(255, latest: boot)) }
    record.poorScans = 255
    record.unseenCancels = 255
    record.isLockRequested = true
    record.lastPasscode = Moment(boot: Moment.Boot(high: .max, low: 1), sinceBoot: .max, wall: .max)
    record.lastFingerprint = record.lastPasscode
    let last = LockoutFile(sequence: LockoutFile.lastSequence, record: record)
    #expect(try echo(last) == last)
  }

  @Test func `a lockout whose number has no next is refused`() {
    for sequence in [LockoutFile.lastSequence + 1, .max] {
      #expect(throws: FormatError.badValue) { try echo(LockoutFile(sequence: sequence, record: LockoutRecord())) }
    }
  }

  @Test func `a stranger who is counted twice is refused, and so is one too many`() throws {
    for strangers in [[1, 1], (1...UInt32(PasscodeCountsRecord.strangerLimit) + 1).map { $0 }] as [[UInt32]] {
      var record = LockoutRecord()
      record.wrongPasscodes.each = strangers.map { .init(.user($0), WrongPasscodes(1)) }
      #expect(throws: FormatError.self) { try echo(LockoutFile(sequence: 1, record: record)) }
    }
  }

  @Test func `wrong passcodes of a file that does not say where they came from count for each source`() throws {
    let moment = Moment(boot: Moment.Boot(high: 1, low: 2), sinceBoot: 60_000, wall: 3)
    let lockout = Lockout(
      try LockoutFile(decoding: firstForm(wrong: 5, at: moment), uid: 7).record, limits: LockoutLimits(), rules: PasscodeRules())
    for source in [.owner, .seat, .remote, .stranger(.user(8)), .stranger(.unknown)] as [PasscodeSource] {
      #expect(lockout.passcodes(from: source, at: moment).delay == 60)
    }
    #expect(lockout.durable.strikes == 3)
    #expect(lockout.durable.isLockRequested)
  }

  @Test func `a file of before cancels were counted has none, and one that lost its count is refused`() throws {
    var record = LockoutRecord()
    record.strikes = 2
    let file = LockoutFile(sequence: 3, record: record)
    let written = Array(try file.encoded(uid: 7).dropLast(SHA256.length + 1))
    func read(version: UInt8) throws -> LockoutFile {
      var body = written
      body[4] = version
      return try LockoutFile(decoding: body + SHA256.hash(body.span), uid: 7)
    }
    #expect(try read(version: 2) == file)
    #expect(throws: FormatError.self) { try read(version: 3) }
  }

  /// Three strikes and a lock on request, as version 1 had them.
  private func firstForm(wrong: UInt8, at moment: Moment) -> [UInt8] {
    func little(_ number: UInt64, _ size: Int = 8) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let boot = moment.boot!
    let last = [1, 1] + little(boot.high) + little(boot.low) + little(moment.sinceBoot) + little(moment.wall)
    let body = Array("SGst".utf8) + [1] + little(7, 4) + [3, wrong, 0, 1] + little(9) + last + [0, 0]
    return body + SHA256.hash(body.span)
  }

  private func echo(_ file: LockoutFile) throws -> LockoutFile { try LockoutFile(decoding: file.encoded(uid: 7), uid: 7) }

  @Test func `the identity of a boot is read from the kernel's text, or not at all`() {
    let text = "0123abcd-4567-89ef-0123-456789abcdef\n"
    #expect(Moment.Boot(uuid: text.utf8) == Moment.Boot(high: 0x0123_abcd_4567_89ef, low: 0x0123_4567_89ab_cdef))
    for broken in ["", "0123", text + "0", String(text.dropFirst())] { #expect(Moment.Boot(uuid: broken.utf8) == nil) }
    #expect(machineMoment().isInBoot(of: machineMoment()))
  }

  private let bytes = try! LockoutFile(sequence: 7, record: LockoutRecord()).encoded(uid: 1000)

  @Test func `a record of another user is refused`() throws {
    #expect(throws: FormatError.badValue) { _ = try LockoutFile(decoding: bytes, uid: 1001) }
  }

  @Test func `a record of another purpose is refused`() throws {
    let session = try Record.encode(.session, uid: 1000, limit: 256) { packet throws(FormatError) in try packet.put(3) }
    #expect(throws: FormatError.badValue) { _ = try LockoutFile(decoding: session, uid: 1000) }
  }

  @Test func `a record with any one bit flipped is refused`() throws {
    for bit in 0..<(bytes.count * 8) {
      var altered = bytes
      altered[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: FormatError.self) { _ = try LockoutFile(decoding: altered, uid: 1000) }
    }
  }

  @Test func `a record cut anywhere is refused`() throws {
    for count in 0..<bytes.count {
      #expect(throws: FormatError.self) { _ = try LockoutFile(decoding: Array(bytes.prefix(count)), uid: 1000) }
    }
  }
}
