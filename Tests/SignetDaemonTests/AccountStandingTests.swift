import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Synchronization
import Testing

@testable import DaemonConnections
@testable import DaemonPasscodes
@testable import DaemonService

/// What is made of signet-passcode's answer to whether an account is open, and how long. The test's own script stands in for it.
@Suite struct AccountStandingTests {
  private let folder = try! TemporaryFolder()
  private let alice = User(uid: 1000, name: "alice")
  private let clock = FakeClock()
  private var program: String { folder.path + "/signet-passcode" }

  private final class FakeClock: Sendable {
    private let time = Mutex<Int64>(5_000_000)
    var now: Int64 { time.withLock(\.self) }
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
  }

  /// A program that notes that it was started, and then does this.
  private func set(_ script: String) throws {
    try writeScript("#!/bin/sh\necho >> \(folder.path)/starts\nhead -c 1 > /dev/null\n\(script)\n", to: program)
  }

  private func standing(_ script: String, limit: Int64 = AccountStanding.limit) throws -> AccountStanding {
    try set(script)
    return AccountStanding(path: program, service: "signet-passcode", confdir: "", limit: limit) { [clock] in clock.now }
  }

  private func answering(_ outcome: PasscodeAnswer.Outcome) -> String {
    "printf '\\001\\002\\\(String(outcome.rawValue, radix: 8))\\000\\000\\000\\000' >&0"
  }

  private var starts: Int { (try? RawFile.read(folder.path + "/starts").count) ?? 0 }

  private func obstacle(_ standing: AccountStanding, _ user: User? = nil) throws -> Verdict? {
    try withWaitingClient { try standing.obstacle(of: user ?? alice, for: $0) }
  }

  @Test func `a yes counts for a minute, and no longer`() throws {
    let standing = try standing(answering(.accountOpen))
    for _ in 1...3 { #expect(try obstacle(standing) == nil) }
    clock.advance(59_999)
    #expect(try obstacle(standing) == nil)
    #expect(starts == 1)
    try set(answering(.accountClosed))
    clock.advance(1)
    #expect(try obstacle(standing) == .accountClosed)
    #expect(starts == 2)
  }

  @Test func `a clock that was set back does not make a yes last`() throws {
    let standing = try standing(answering(.accountOpen))
    #expect(try obstacle(standing) == nil)
    clock.advance(-1)
    #expect(try obstacle(standing) == nil)
    #expect(starts == 2)
  }

  @Test(arguments: [
    (PasscodeAnswer.Outcome.accountClosed, Verdict.accountClosed), (.passcodeExpired, .passcodeExpired),
    (.accountUnknown, .accountUnknown),
  ])
  func `anything else is asked again each time`(outcome: PasscodeAnswer.Outcome, verdict: Verdict) throws {
    let standing = try standing(answering(outcome))
    for count in 1...2 {
      #expect(try obstacle(standing) == verdict)
      #expect(starts == count)
    }
    try set(answering(.accountOpen))
    #expect(try obstacle(standing) == nil)
  }

  @Test(arguments: [
    "exit 0", "head -c 64 /dev/urandom >&0", "printf '\\001\\002\\132' >&0", "printf '\\001\\002\\245\\000\\000\\000\\000' >&0",
    "printf '\\001\\002\\005\\000\\000\\000\\000' >&0", "printf '\\001\\005\\132\\000\\000\\000\\000' >&0",
    "printf '\\001\\002\\132\\000\\000\\000\\000\\000' >&0",
  ])
  func `what is no answer opens nothing, and is not kept`(script: String) throws {
    let standing = try standing(script)
    for _ in 1...2 { #expect(try obstacle(standing) == .accountUnknown) }
    #expect(starts == 2)
  }

  @Test func `where signet-passcode is missing, or says nothing in time, nothing opens`() throws {
    let missing = AccountStanding(path: program, service: "signet-passcode", confdir: "")
    #expect(try obstacle(missing) == .accountUnknown)
    #expect(try obstacle(standing("exec sleep 600", limit: 50)) == .accountUnknown)
  }

  @Test func `a wrong passcode ends a yes of that user, and of nobody else`() throws {
    let standing = try standing(answering(.accountOpen))
    let bob = User(uid: 1001, name: "bob")
    for user in [alice, bob] { #expect(try obstacle(standing, user) == nil) }
    try set(answering(.accountClosed))
    standing.doubt(alice.uid)
    #expect(try obstacle(standing) == .accountClosed)
    #expect(try obstacle(standing, bob) == nil)
  }

  @Test func `a yes is of a uid and a name`() throws {
    let standing = try standing(answering(.accountOpen))
    #expect(try obstacle(standing) == nil)
    try set(answering(.accountClosed))
    #expect(try obstacle(standing, User(uid: 1000, name: "renamed")) == .accountClosed)
    #expect(try obstacle(standing, User(uid: 1001, name: "alice")) == .accountClosed)
    #expect(try obstacle(standing) == nil)
  }

  @Test func `a passcode that is wrong while the account is asked about leaves nothing to keep`() throws {
    let itself = Mutex<AccountStanding?>(nil)
    try set(answering(.accountOpen))
    let standing = AccountStanding(path: program, service: "signet-passcode", confdir: "") {
      itself.withLock(\.self)?.doubt(1000)
      return 0
    }
    itself.withLock { $0 = standing }
    defer { itself.withLock { $0 = nil } }
    for count in 1...2 {
      #expect(try obstacle(standing) == nil)
      #expect(starts == count)
    }
  }
}
