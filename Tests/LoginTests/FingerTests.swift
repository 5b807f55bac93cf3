import SignetTestKit
import SignetVocabulary
import Testing

/// Logins against a real signetd, by its packets, with libfprint's virtual reader.
@Suite struct FingerTests {
  private let reader: VirtualReader
  private let daemon: RunningDaemon

  init() throws {
    reader = try VirtualReader(.device)
    daemon = try RunningDaemon(reader)
    try daemon.enroll(.rightIndexFinger, as: "right", on: reader)
  }

  /// Presents these scans one after the other, each when the reader waits for it, and returns what follows.
  private func attempt(_ scans: String..., policy: Policy = .deviceOwnerAuthentication) throws -> LoginClient {
    let client = try daemon.connect()
    try client.authenticate(daemon.user, policy: policy)
    try client.awaitArmed()
    for (index, scan) in scans.enumerated() {
      try reader.scan(scan)
      if index < scans.count - 1 { _ = try client.next() }
    }
    return client
  }

  /// Misses with a whole evaluation, and cancels the passcode.
  private func missThrice() throws {
    let client = try attempt("wrong", "wrong", "wrong")
    _ = try client.verdict()
  }

  @Test func `an enrolled finger succeeds with a token`() throws {
    #expect(try attempt("right").next().isSuccess)
  }

  @Test func `another finger is a miss and leaves two attempts`() throws {
    #expect(try attempt("wrong").next() == .show(.notRecognised, value: 2, detail: ""))
  }

  @Test func `three misses end in the passcode`() throws {
    let client = try attempt("wrong", "wrong", "wrong")
    #expect(try client.afterShowing() == .askPasscode(.misses))
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess)
  }

  @Test func `a wrong passcode is a failure`() throws {
    let client = try attempt("wrong", "wrong", "wrong")
    #expect(try client.verdict(passcode: "wrong").verdict == .authenticationFailed)
  }

  @Test func `the fifth miss locks, and while locked the reader is not even opened`() throws {
    try missThrice()
    let client = try attempt("wrong")
    #expect(try client.next() == .show(.notRecognised, value: 1, detail: ""))
    try reader.scan("wrong")
    #expect(try client.next() == .show(.locked, value: LockReason.strikes.rawValue, detail: ""))
    #expect(try client.next() == .askPasscode(.lockout))
    try client.cancel()
    _ = try client.next()

    let locked = try daemon.connect()
    try locked.authenticate(daemon.user)
    #expect(try locked.next() == .show(.locked, value: LockReason.strikes.rawValue, detail: ""))
    #expect(try locked.next() == .askPasscode(.lockout))
  }

  @Test func `the lock outlives the daemon`() throws {
    try missThrice()
    _ = try attempt("wrong", "wrong").verdict()
    daemon.end(9)
    try daemon.start()
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.lockout))
  }

  @Test func `the passcode unlocks`() throws {
    try missThrice()
    #expect(try attempt("wrong", "wrong").verdict(passcode: RunningDaemon.passcode).isSuccess)
    #expect(try attempt("right").next().isSuccess)
  }

  @Test func `a match before the fifth miss clears the count`() throws {
    try missThrice()
    #expect(try attempt("wrong", "right").next().isSuccess)
    try missThrice()
    #expect(try attempt("wrong", "right").next().isSuccess)
  }

  @Test func `the strike is on disk while the reader waits`() throws {
    let client = try attempt()
    #expect(daemon.strikesOnDisk == 1)
    try client.cancel()
    #expect(try client.next().verdict == .userCancel)
    try daemon.awaitStrikes(0)
  }

  @Test func `a miss before a cancel is kept`() throws {
    let client = try attempt("wrong")
    _ = try client.next()
    try client.cancel()
    #expect(try client.next().verdict == .userCancel)
    try daemon.awaitStrikes(1)
  }

  @Test func `ten poor scans fail the evaluation and cost a strike`() throws {
    let client = try attempt()
    for _ in 0..<9 {
      try reader.poorScan()
      #expect(try client.next() == .show(.scanAgain, value: 0, detail: ""))
    }
    try reader.poorScan()
    #expect(try client.afterShowing() == .askPasscode(.misses))
    #expect(daemon.strikesOnDisk == 1)
  }

  @Test func `Enter asks for the passcode at once`() throws {
    let client = try attempt()
    try client.fallback()
    #expect(try client.next() == .askPasscode(.userFallback))
  }

  @Test func `a time-out asks for the passcode and costs nothing`() throws {
    let client = try daemon.connect()
    try client.authenticate(daemon.user, timeout: 1)
    #expect(try client.afterShowing() == .askPasscode(.timedOut))
    try daemon.awaitStrikes(0)
  }

  @Test func `a second caller is told who holds the reader and asked for the passcode at once`() throws {
    let first = try attempt()
    let second = try daemon.connect()
    try second.authenticate(daemon.user, service: "login")
    #expect(try second.next() == .show(.readerBusy, value: 0, detail: "another program"))
    #expect(try second.next() == .askPasscode(.readerUnavailable))
    try reader.scan("right")
    #expect(try first.next().isSuccess)
  }

  @Test func `without the passcode in the policy the caller offers its own fallback`() throws {
    let client = try attempt("wrong", "wrong", "wrong", policy: .deviceOwnerAuthenticationWithBiometrics)
    #expect(try client.afterShowing().verdict == .authenticationFailed)
  }

  @Test func `a user without fingers is told so at once`() throws {
    let daemon = try RunningDaemon(reader)
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    #expect(try client.next().verdict == .biometryNotEnrolled)
  }

  @Test func `an unknown user is answered like one without fingers`() throws {
    for name in ["no-such-user", "../\(daemon.user)", "a:b", String(repeating: "a", count: 200)] {
      let client = try daemon.connect()
      try client.authenticate(name)
      #expect(try client.next().verdict == .biometryNotEnrolled)
    }
  }

  @Test func `the next login right after a success succeeds`() throws {
    for _ in 0..<5 { #expect(try attempt("right").next().isSuccess) }
  }

  @Test func `an unplugged reader leads to the passcode`() throws {
    let client = try attempt()
    try reader.unplug()
    #expect(try client.afterShowing() == .askPasscode(.readerUnavailable))
  }
}
