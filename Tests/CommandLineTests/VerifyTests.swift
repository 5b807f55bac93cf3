import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

@Suite struct VerifyTests {
  private static let token = [UInt8](0..<32)

  @Test func `a match is verified, and its token given back`() throws {
    let daemon = try ScriptedDaemon(
      [.expect(.authenticate), .send(Packet.show(.touchReader)), .send(Packet.success(.fingerprint, token: VerifyTests.token))],
      [.expect(.closeSession)])
    let run = try Signet.run(["verify", "--user", "alice", "--timeout", "7"], with: daemon)
    #expect(run.status == 0)
    #expect(run.output == "Verified.\n")
    let sent = try daemon.finish()
    #expect(sent[1][0].suffix(32) == VerifyTests.token[...])
    let policy = Policy.deviceOwnerAuthenticationWithBiometrics.rawValue
    #expect(sent[0][0].starts(with: [1, RequestKind.authenticate.rawValue, policy, 7, 0, 5, 0] + Array("alice".utf8)))
  }

  @Test(
    arguments: [
      (Verdict.authenticationFailed, 1), (.userCancel, 1), (.systemCancel, 1), (.appCancel, 1), (.userFallback, 1),
      (.passcodeNotSet, 1), (.biometryNotAvailable, 5), (.biometryNotEnrolled, 1), (.biometryLockout, 4), (.invalidContext, 6),
      (.notInteractive, 1), (.accountClosed, 4), (.passcodeExpired, 4), (.accountUnknown, 4), (Verdict(rawValue: 0), 1),
      (Verdict(rawValue: 0xA4), 1), (Verdict(rawValue: 255), 1),
    ] as [(Verdict, Int32)])
  func `no other verdict is verified`(verdict: Verdict, status: Int32) throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.refusal(verdict))])
    let run = try Signet.run(["verify", "--user", "alice"], with: daemon)
    #expect(run.status == status)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("signet: not verified"))
  }

  @Test(arguments: [
    (Prompt.noAttemptsLeft, 0, "No fingerprint attempts left"),
    (.locked, LockReason.strikes.rawValue, "Fingerprints are locked after too many attempts"),
    (.locked, LockReason.stateUnusable.rawValue, "Fingerprints cannot be used before your passcode"),
  ])
  func `nobody is told to enter a passcode that is not asked for`(prompt: Prompt, value: UInt8, words: String) throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.show(prompt, value: value)), .send(Packet.refusal(.biometryLockout)),
    ])
    let run = try Signet.run(["verify", "--user", "alice"], with: daemon)
    #expect(run.errors.contains(words))
    #expect(!run.errors.contains("Enter your passcode"))
  }

  @Test func `in JSON it says the verdict, and the exit status is the same`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.refusal(.biometryLockout))])
    let run = try Signet.run(["verify", "--user", "alice", "--json"], with: daemon)
    #expect(run.status == 4)
    #expect(run.output.filter { !$0.isWhitespace } == #"{"verdict":"biometryLockout","verified":false}"#)
  }

  @Test(
    arguments: [
      [1, 67, 0xA5, 1, 0, 0], [1, 67, 0xA5, 0, 32, 0] + token, [1, 67, 0xA5, 1, 31, 0] + token.dropLast(), [1, 82],
      [2, 67, 0xA5, 1, 32, 0] + token, [1, 66, 2],
    ] as [[UInt8]])
  func `a success that is not whole, and what is no verdict, verify nothing`(bytes: [UInt8]) throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(bytes)])
    let run = try Signet.run(["verify", "--user", "alice"], with: daemon)
    #expect(run.status == 3)
    #expect(run.output.isEmpty)
  }

  @Test func `an interrupt cancels at signetd`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.show(.touchReader)), .expect(.cancel), .send(Packet.refusal(.userCancel)),
    ])
    let errors = try Pipe()
    let program = try Program(
      [Signet.path(), "verify", "--user", "alice", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [2: errors.writing])
    _ = try errors.read(until: "Touch the fingerprint reader")
    program.signal(SIGINT)
    #expect(try program.waitForExit() == 130)
    try daemon.finish()
  }

  /// A match that comes after the interrupt is no success: the user has given up.
  @Test func `success after an interrupt is not verified`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.show(.touchReader)), .expect(.cancel),
      .send(Packet.success(.fingerprint, token: VerifyTests.token)),
    ])
    let errors = try Pipe()
    let program = try Program(
      [Signet.path(), "verify", "--user", "alice", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [2: errors.writing])
    _ = try errors.read(until: "Touch the fingerprint reader")
    program.signal(SIGINT)
    #expect(try program.waitForExit() == 130)
  }
}
