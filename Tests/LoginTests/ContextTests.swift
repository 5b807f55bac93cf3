import Foundation
import SignetAuthentication
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What an application gets from the real signetd: both of Apple's tables, the passcode, and one lockout with all others.
@Suite struct ContextTests {
  private static let biometrics = Policy.deviceOwnerAuthenticationWithBiometrics
  private static let owner = Policy.deviceOwnerAuthentication

  private func context(_ scene: Scene) throws -> LoginClient {
    let client = try scene.daemon.connect()
    try client.openContext()
    return client
  }

  /// Puts a finger on the reader whenever one is asked for.
  private func touching(_ scene: Scene, _ finger: String) -> (ContextAnswer.Event) throws -> Bool {
    { event in
      switch event {
      case .show(.touchReader, _), .show(.notRecognised, _): try scene.reader.scan(finger)
      default: return false
      }
      return true
    }
  }

  // MARK: whether an evaluation could succeed

  @Test func `with a passcode a finger makes the difference`() throws {
    let scene = try Scene(enrolls: false)
    let client = try context(scene)
    #expect(
      try client.canEvaluate(Self.biometrics) == PolicyAnswer(verdict: .biometryNotEnrolled, biometry: .touchID, domainState: []))
    #expect(try client.canEvaluate(Self.owner).verdict == .success)
    try scene.enroll(.rightIndexFinger, as: "right")
    let enrolled = try client.canEvaluate(Self.biometrics)
    #expect(enrolled.verdict == .success && enrolled.domainState.count == 32)
    #expect(try client.canEvaluate(Self.owner) == enrolled)
  }

  @Test func `without a passcode nothing can succeed, and nothing is shown`() throws {
    let scene = try Scene()
    try scene.daemon.write(
      "signet.conf", "reader_user = root\n\(RunningDaemon.anyone)\n\(RunningDaemon.noRules)\n\(scene.reader.configuration)\n")
    try scene.replace("signet-passcode", by: Scene.noPasscode)
    let client = try context(scene)
    for policy in [Self.biometrics, Self.owner] {
      #expect(try client.canEvaluate(policy).verdict == .passcodeNotSet)
      #expect(try client.evaluate(policy) == ContextAnswer(end: EvaluatedReply(.passcodeNotSet)))
    }
    unlink(try scene.templateFile)
    #expect(try client.canEvaluate(Self.biometrics).verdict == .biometryNotEnrolled)
    #expect(try client.canEvaluate(Self.owner).verdict == .passcodeNotSet)
    #expect(try client.evaluate(Self.owner) == ContextAnswer(end: EvaluatedReply(.passcodeNotSet)))
  }

  @Test func `without a reader only the passcode is left`() throws {
    let scene = try Scene()
    try scene.daemon.write(
      "signet.conf",
      "reader_user = root\npasscode_confdir = \(scene.daemon.confdir)\n\(RunningDaemon.anyone)\n\(RunningDaemon.noRules)\n")
    try scene.restart()
    let client = try context(scene)
    let answer = try client.canEvaluate(Self.biometrics)
    #expect(answer.verdict == .biometryNotAvailable && answer.biometry == .none)
    #expect(try client.canEvaluate(Self.owner).verdict == .success)
    #expect(try client.evaluate(Self.biometrics).end == EvaluatedReply(.biometryNotAvailable))
    #expect(try client.evaluate(Self.owner).end == EvaluatedReply(.success, .passcode))
  }

  @Test func `a program that is at no seat is asked for the passcode only`() throws {
    let scene = try Scene()
    let configuration = try RawFile.text(scene.daemon.folder + "/signet.conf")
    try scene.daemon.write("signet.conf", configuration.replacing("finger_for = anyone", with: "finger_for = own"))
    try scene.restart()
    let client = try context(scene)
    #expect(try client.canEvaluate(Self.biometrics).verdict == .biometryNotAvailable)
    #expect(try client.evaluate(Self.biometrics) == ContextAnswer(end: EvaluatedReply(.biometryNotAvailable)))
    #expect(
      try client.evaluate(Self.owner)
        == ContextAnswer(end: EvaluatedReply(.success, .passcode), events: [.passcode(.readerUnavailable)]))
  }

  @Test func `asking whether it could succeed opens no reader`() throws {
    let scene = try Scene()
    let client = try context(scene)
    for _ in 1...100 { #expect(try client.canEvaluate(Self.biometrics).verdict == .success) }
    // The virtual reader listens while it is open.
    #expect(throws: TestKitError.self) { try scene.reader.scan("right") }
  }

  // MARK: evaluations

  @Test func `a finger passes both policies, and the history has the program`() throws {
    let scene = try Scene(configuration: "prompt = either")
    let client = try context(scene)
    for policy in [Self.biometrics, Self.owner] {
      let answer = try client.evaluate(policy, touching(scene, "right"))
      #expect(answer == ContextAnswer(end: EvaluatedReply(.success, .fingerprint), events: [.show(.touchReader, 1)]))
    }
    // What an evaluation is recorded as is written before the next request of its context.
    _ = try client.canEvaluate(Self.owner)
    let history = try scene.daemon.connect()
    try history.send(.history(user: "", limit: 2))
    for _ in 1...2 {
      guard case .event(let row) = try history.nextAdministration() else {
        Issue.record("no event")
        return
      }
      #expect(row.event == .authenticated(.fingerprint, .rightIndexFinger))
      #expect(row.requester.service == "application" && row.requester.pid == UInt32(getpid()))
      #expect(row.requester.program == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
    }
  }

  @Test func `three misses fail, two more lock for every program, and a login's passcode unlocks`() throws {
    let scene = try Scene(configuration: "prompt = either")
    let (first, second) = (try context(scene), try context(scene))
    let failed = try first.evaluate(Self.biometrics, touching(scene, "wrong"))
    #expect(failed.end == EvaluatedReply(.authenticationFailed))
    #expect(
      failed.events == [.show(.touchReader, 1), .show(.notRecognised, 2), .show(.notRecognised, 1), .show(.noAttemptsLeft, 1)])
    let locked = try second.evaluate(Self.biometrics, touching(scene, "wrong"))
    #expect(locked.end == EvaluatedReply(.biometryLockout))
    #expect(scene.daemon.strikesOnDisk == 5)
    for client in [first, second, try context(scene)] {
      #expect(try client.canEvaluate(Self.biometrics).verdict == .biometryLockout)
      #expect(try client.canEvaluate(Self.owner).verdict == .success)
      #expect(try client.evaluate(Self.biometrics) == ContextAnswer(end: EvaluatedReply(.biometryLockout)))
    }
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user, service: "sudo")
    #expect(try login.next() == .show(.locked, value: LockReason.strikes.rawValue, detail: ""))
    #expect(try login.next() == .askPasscode(.lockout))
    try login.answer(passcode: RunningDaemon.passcode)
    guard case .verdict(.success, .passcode, _) = try login.next() else {
      Issue.record("no login")
      return
    }
    #expect(try first.canEvaluate(Self.biometrics).verdict == .success)
    #expect(try first.evaluate(Self.biometrics, touching(scene, "right")).end == EvaluatedReply(.success, .fingerprint))
  }

  @Test func `for the device owner the passcode is asked for by itself: after three misses, and after five at once`() throws {
    let scene = try Scene()
    let client = try context(scene)
    let answer = try client.evaluate(Self.owner, touching(scene, "wrong"))
    #expect(answer.end == EvaluatedReply(.success, .passcode))
    #expect(answer.events.suffix(2) == [.show(.noAttemptsLeft, 0), .passcode(.misses)])
    #expect(scene.daemon.strikesOnDisk == 0)
    for _ in 1...2 { _ = try client.evaluate(Self.biometrics, touching(scene, "wrong")) }
    #expect(
      try client.evaluate(Self.owner)
        == ContextAnswer(
          end: EvaluatedReply(.success, .passcode),
          events: [.show(.locked, LockReason.strikes.rawValue), .passcode(.lockout)]))
  }

  @Test func `a wrong passcode is asked for three times, and five make a delay`() throws {
    let scene = try Scene()
    let client = try context(scene)
    func answering() throws -> ContextAnswer {
      try client.evaluate(Self.owner, passcode: "wrong") { event in
        guard event == .show(.touchReader, 1) else { return false }
        try client.fallback()
        return true
      }
    }
    #expect(
      try answering()
        == ContextAnswer(
          end: EvaluatedReply(.authenticationFailed),
          events: [
            .show(.touchReader, 1), .passcode(.userFallback), .show(.wrongPasscode, 2), .passcode(.wrongPasscode),
            .show(.wrongPasscode, 1), .passcode(.wrongPasscode),
          ]))
    let second = try answering()
    // In seconds: it is a minute at most.
    func saysDelay(_ answer: ContextAnswer) -> Bool {
      guard case .show(.passcodeDelayed, let rest) = answer.events.last else { return false }
      return (DelayForm.seconds + 1...DelayForm.seconds + 60).contains(rest)
    }
    #expect(second.end == EvaluatedReply(.authenticationFailed) && saysDelay(second))
    #expect(second.events.count { if case .passcode = $0 { true } else { false } } == 2)
    #expect(saysDelay(try answering()))
  }

  @Test func `the right passcode after a wrong one passes`() throws {
    let scene = try Scene(enrolls: false)
    let client = try context(scene)
    var tries = ["wrong", RunningDaemon.passcode]
    let answer = try client.evaluate(Self.owner) { event in
      guard case .passcode = event else { return false }
      try client.answer(passcode: tries.removeFirst())
      return true
    }
    #expect(answer.end == EvaluatedReply(.success, .passcode))
    #expect(answer.events == [.passcode(.readerUnavailable), .show(.wrongPasscode, 2), .passcode(.wrongPasscode)])
  }

  @Test func `the fallback after a miss ends one policy and asks for the passcode in the other`() throws {
    let scene = try Scene()
    let client = try context(scene)
    for (policy, end) in [
      (Self.biometrics, EvaluatedReply(.userFallback)), (Self.owner, EvaluatedReply(.success, .passcode)),
    ] {
      let answer = try client.evaluate(policy) { event in
        switch event {
        case .show(.touchReader, _): try scene.reader.scan("wrong")
        case .show(.notRecognised, _): try client.fallback()
        default: return false
        }
        return true
      }
      #expect(answer.end == end)
    }
  }

  @Test func `a cancel ends an evaluation at the reader and at the passcode, and the context goes on`() throws {
    let scene = try Scene(configuration: "prompt = either")
    let client = try context(scene)
    let atReader = try client.evaluate(Self.owner) { event in
      try client.cancel()
      return true
    }
    #expect(atReader == ContextAnswer(end: EvaluatedReply(.userCancel), events: [.show(.touchReader, 1)]))
    let atPasscode = try client.evaluate(Self.owner) { event in
      if case .passcode = event { try client.cancel() } else { try client.fallback() }
      return true
    }
    #expect(atPasscode.end == EvaluatedReply(.userCancel))
    #expect(try client.evaluate(Self.owner, touching(scene, "right")).end == EvaluatedReply(.success, .fingerprint))
  }

  @Test func `a cancel and a fallback that come after the end do nothing`() throws {
    let scene = try Scene()
    let client = try context(scene)
    #expect(try client.evaluate(Self.owner, touching(scene, "right")).end.verdict == .success)
    for _ in 1...3 {
      try client.cancel()
      try client.fallback()
    }
    #expect(try client.evaluate(Self.owner, touching(scene, "right")).end.verdict == .success)
  }

  @Test func `where nothing may be asked, what is in the way comes first`() throws {
    let scene = try Scene(enrolls: false)
    let client = try context(scene)
    func asked(_ policy: Policy) throws -> ContextAnswer { try client.evaluate(policy, mayInteract: false) }
    #expect(try asked(Self.biometrics) == ContextAnswer(end: EvaluatedReply(.biometryNotEnrolled)))
    #expect(try asked(Self.owner) == ContextAnswer(end: EvaluatedReply(.notInteractive)))
    try scene.enroll(.rightIndexFinger, as: "right")
    #expect(try asked(Self.biometrics) == ContextAnswer(end: EvaluatedReply(.notInteractive)))
    for _ in 1...2 { _ = try client.evaluate(Self.biometrics, touching(scene, "wrong")) }
    #expect(try asked(Self.biometrics) == ContextAnswer(end: EvaluatedReply(.biometryLockout)))
  }

  // MARK: an unlock of the last minutes

  private func unlock(_ scene: Scene, _ service: String) throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: service)
    try client.awaitArmed()
    try scene.reader.scan("right")
    guard case .verdict(.success, _, _) = try client.next() else { throw TestKitError("no login") }
  }

  @Test func `a login at the seat by finger is reused where that is wanted, and a sudo is not`() throws {
    let scene = try Scene()
    let client = try context(scene)
    try unlock(scene, "sudo")
    let silent = EvaluatedReply(.notInteractive)
    #expect(try client.evaluate(Self.biometrics, reuse: 300, mayInteract: false).end == silent)
    try unlock(scene, "login")
    #expect(try client.evaluate(Self.biometrics, mayInteract: false).end == silent)
    let reused = try client.evaluate(Self.biometrics, reuse: 300)
    #expect(reused == ContextAnswer(end: EvaluatedReply(.success, .fingerprint)))
    let locker = try scene.daemon.connect()
    try locker.send(.lock(user: ""))
    #expect(try locker.nextAdministration() == .done)
    #expect(try client.evaluate(Self.biometrics, reuse: 300).end == EvaluatedReply(.biometryLockout))
    _ = try client.evaluate(Self.owner)
    #expect(try client.evaluate(Self.biometrics, reuse: 300, mayInteract: false).end == silent)
  }
}
