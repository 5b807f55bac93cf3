import SignetMemory
import SignetSealing
import SignetTestKit
import SignetVocabulary
import Testing

@testable import DaemonAccounts

/// Whether the state on disk is the newest, and the file that says so.
@Suite struct RollbackStatusTests {
  @Test func `a file that the counter has reached is the newest`() {
    #expect(RollbackStatus(.found(7), counter: 7) == .trusted)
  }

  @Test func `a file behind the counter is an older copy`() {
    #expect(RollbackStatus(.found(6), counter: 7) == .distrusted(.older))
    #expect(RollbackStatus(.found(0), counter: 7) == .distrusted(.older))
  }

  @Test func `a file that the TPM cannot catch up with is of another counter`() {
    #expect(RollbackStatus(.found(8), counter: 7) == .distrusted(.ahead))
  }

  @Test func `without a file, or with one that does not open, nothing is believed`() {
    for counter: UInt64? in [nil, 0, 7] {
      #expect(RollbackStatus(.none, counter: counter) == .distrusted(.missing))
      #expect(RollbackStatus(.damaged, counter: counter) == .distrusted(.damaged))
    }
  }

  @Test func `a counter that is gone locks, and one that could never be made does not`() {
    #expect(RollbackStatus(.found(7), counter: nil) == .distrusted(.uncounted))
    #expect(RollbackStatus(.found(0), counter: nil) == .trusted)
  }

  @Test func `a change gets a number that the TPM has not counted, and is at most two ahead`() {
    #expect(RollbackStatus.next(written: 7, counted: 7, isAsking: false) == 8)
    #expect(RollbackStatus.next(written: 8, counted: 7, isAsking: false) == 8)
    #expect(RollbackStatus.next(written: 8, counted: 7, isAsking: true) == 9)
    #expect(RollbackStatus.next(written: 9, counted: 7, isAsking: true) == 9)
  }

  private let file = PinsFile(
    number: 9,
    pins: [
      1000: Pin(sequence: 5, fingers: [UInt8](repeating: 1, count: 32)),
      1001: Pin(sequence: 1 << 40, fingers: [UInt8](repeating: 2, count: 32)),
    ])

  private static func key(_ byte: UInt8) throws -> HeldKey {
    guard var secret = SecretBytes(capacity: HeldKey.length) else { throw TestKitError("no memory") }
    for _ in 0..<HeldKey.length { _ = secret.append(byte) }
    guard let key = HeldKey(secret) else { throw TestKitError("no key") }
    return key
  }

  @Test func `the file opens as it was written`() throws {
    let key = try RollbackStatusTests.key(1)
    #expect(try PinsFile(opening: file.sealed(under: key), under: key) == file)
  }

  @Test func `an altered, shortened or foreign file does not open`() throws {
    let key = try RollbackStatusTests.key(1)
    let bytes = try file.sealed(under: key)
    let other = try RollbackStatusTests.key(2)
    #expect(throws: (any Error).self) { try PinsFile(opening: bytes, under: other) }
    for index in bytes.indices {
      var altered = bytes
      altered[index] ^= 1
      #expect(throws: (any Error).self, "byte \(index)") { try PinsFile(opening: altered, under: key) }
      #expect(throws: (any Error).self, "\(index) bytes") { try PinsFile(opening: Array(bytes.prefix(index)), under: key) }
    }
  }
}
