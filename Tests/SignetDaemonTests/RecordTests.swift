import SignetAuthentication
import SignetBytes
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
    record.wrongPasscodes = 255
    record.poorScans = 255
    record.isLockRequested = true
    record.lastWrongPasscode = Moment(boot: nil, sinceBoot: 1, wall: 2)
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
