import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

@testable import SignetCommandLine

/// What signetd refuses, and a signetd that does not keep to its protocol.
@Suite struct RefusalTests {
  /// One of every number.
  private static let refusals: [Refusal] = [
    .permissionDenied, .unknownUser("carol"), .notEnrolled(user: "carol", .leftThumb), .readerUnavailable,
    .readerBusy(service: "sudo", user: "carol"), .duplicateFinger(.leftThumb), .storageFull("Reader"), .passcodeFailed,
    .passcodeNotSet(user: "carol"), .stateUnusable(.strikesMissing("/strikes")), .cancelled, .notFound, .passcodeUnchecked,
    .passcodeDelayed, .duplicateItem, .vaultFull, .vaultUnavailable(.damaged("/key")), .fingersChanged, .otherUser,
    .notForSessionLocker, .otherUsersPasscode, .loginSecretIsForLogins, .unknownUID(4711), .readerNotStarted, .readerEnded,
    .asleep, .noMemory, .noReader, .severalReaders(["one", "two"]), .noSuchReader("other"), .readerNotOpened("Reader"),
    .readerSilent("Reader"), .readerFailed("Reader", .tooHot, detail: "too hot"), .duplicateOnReader("Reader"),
    .allFingersEnrolled, .storageNotCleared("Reader", detail: "it is locked"), .deletedWithFault(.missing("/set")),
    .deletedButKept(.missing("/epochs")), .notVerified, .fingerOnly, .fingerOnlyNoneEnrolled, .locked, .nothingToAsk,
    .lockNotKept(.call(.write, "/strikes", code: ENOSPC)), .lockSwitchedOff, .noSessionForToken, .noSuchSession("0123abcd"),
    .otherPasscodeOpensVault, .oldPasscodeOpensVault, .oldPasscodeWrong, .vaultNotOpened, .vaultLockedMeanwhile, .noVault,
    .loginSecretLength, .loginSecretZeroByte, .foreignSessionKey, .tooManySessions,
    .interactionNotAllowed, .noOpenSession, .refreshTokenReused, .sealBroken, .noSigningLibrary,
    .accountClosed, .passcodeExpired, .accountUnknown, .keyOnlySigns, .keyNotSigned(.cleared, code: 0),
  ]

  @Test(arguments: refusals) func `a refusal is never done, and says why`(refusal: Refusal) throws {
    let daemon = try ScriptedDaemon([.expect(.reset), .reply(.refused(refusal))])
    let run = try Signet.run(["reset", "alice"], with: daemon)
    #expect(run.status != 0)
    #expect(run.status == ExitStatus(refusal).rawValue)
    #expect(run.output.isEmpty)
    #expect(run.errors == "signet: \(RefusalText.of(refusal))\n")
  }

  @Test func `every refusal of the protocol is among these, with words of its own`() {
    #expect(RefusalTests.refusals.map(\.code) == RefusalCode.allCases)
    #expect(Set(RefusalTests.refusals.map(RefusalText.of)).count == RefusalCode.allCases.count)
    #expect(RefusalTests.refusals.allSatisfy { RefusalText.of($0).count >= 20 })
  }

  @Test func `what libfprint says has one full stop, and a hot reader words of its own`() {
    func words(_ failure: ReaderFailure, _ detail: String) -> String {
      RefusalText.of(.readerFailed("Reader", failure, detail: detail))
    }
    #expect(words(.other, "It broke.") == "Reader: It broke. Nothing was changed.")
    #expect(words(.other, "It broke") == "Reader: It broke. Nothing was changed.")
    #expect(RefusalText.of(.storageNotCleared("Reader", detail: "It broke.")) == "Reader is full: It broke.")
    #expect(
      words(.tooHot, "Device disabled to prevent overheating.")
        == "Reader is too hot; it works again when it has cooled down. Nothing was changed.")
  }

  @Test func `statuses of refusals are those of the manual`() {
    #expect(ExitStatus(Refusal.permissionDenied).rawValue == 6)
    #expect(ExitStatus(Refusal.readerBusy(service: "sudo", user: "alice")).rawValue == 5)
    #expect(ExitStatus(Refusal.readerUnavailable).rawValue == 5)
    #expect(ExitStatus(Refusal.stateUnusable(.strikesMissing("/strikes"))).rawValue == 4)
    #expect(ExitStatus(Refusal.passcodeDelayed).rawValue == 4)
    #expect(ExitStatus(Refusal.vaultUnavailable(.damaged("/key"))).rawValue == 4)
    #expect(ExitStatus(Refusal.duplicateFinger(.leftThumb)).rawValue == 1)
    #expect(ExitStatus(Refusal.fingersChanged).rawValue == 1)
  }

  @Test func `of all verdicts success alone is done`() {
    let done = (UInt8.min...UInt8.max).filter { ExitStatus(Verdict(rawValue: $0)) == .done }
    #expect(done == [Verdict.success.rawValue])
  }

  @Test(
    arguments: [
      [1, 82, 0], [2, 82], [], [1, 67, 0xA5, 1, 0, 0], [1, 81, 1, 7, 0, 0], [UInt8](repeating: 1, count: 4097),
      [1, 81, 4, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `a packet that is none is no answer`(bytes: [UInt8]) throws {
    let daemon = try ScriptedDaemon([.expect(.reset), .send(bytes)])
    let run = try Signet.run(["reset", "alice"], with: daemon)
    #expect(run.status == 3)
    #expect(run.output.isEmpty)
  }

  @Test func `a row of another kind is no answer`() throws {
    let row = FingerRow(finger: .leftThumb, reader: "x", enrolled: 0)
    let daemon = try ScriptedDaemon([.expect(.sessions), .reply(.finger(row)), .done])
    #expect(try Signet.run(["sessions"], with: daemon).status == 3)
  }

  @Test func `signetd that goes away is told of`() throws {
    let run = try Signet.run(["reset", "alice"], with: ScriptedDaemon([.expect(.reset)]))
    #expect(run.status == 3)
    #expect(run.errors.contains("closed the connection"))
  }

  @Test func `signetd that says nothing is given up`() throws {
    let run = try Signet.run(["reset", "alice"], with: ScriptedDaemon([.expect(.reset), .silence]))
    #expect(run.status == 3)
    #expect(run.errors.contains("stopped or stuck"))
  }
}
