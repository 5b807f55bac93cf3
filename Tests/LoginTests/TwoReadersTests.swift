import CPAM
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A user with a finger on each of two readers, as at a laptop with a keyboard that has one.
@Suite struct TwoReadersTests {
  private let one = try! VirtualReader(.device)
  private let two = try! VirtualReader(.storage)

  private func daemon(_ configuration: String = "") throws -> RunningDaemon {
    let daemon = try RunningDaemon(one, configuration: two.configuration + "\n" + configuration)
    for reader in [one, two] {
      let client = try daemon.connect()
      try client.send(.enroll(user: "", nil, reader: reader.identifier))
      #expect(try client.followEnrolment(as: reader === one ? "one" : "two", on: reader).last == .done)
    }
    return daemon
  }

  private func login(_ daemon: RunningDaemon) throws -> LoginClient {
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    try client.awaitArmed()
    return client
  }

  @Test func `a finger on either of them is a login`() throws {
    let daemon = try daemon()
    for (reader, finger) in [(two, "two"), (one, "one"), (two, "two")] {
      let client = try login(daemon)
      try reader.scan(finger)
      #expect(try client.next().isSuccess)
    }
    try daemon.awaitStrikes(0)
  }

  @Test func `the prompt says what they are called`() throws {
    let daemon = try daemon()
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    let names = "Virtual device for debugging / Virtual device with storage and identification for debugging"
    let said = try client.next()
    #expect(said == .show(.touchReader, value: TouchForm.swipe, detail: names))
    try client.cancel()
    let run = try LoginHost(daemon, answers: []).finish(presenting: ["two"], on: two)
    #expect(run.code == PAM_SUCCESS)
    #expect(run.texts == ["Swipe your finger across the fingerprint reader: \(names)"])
  }

  @Test func `a finger by name is asked for on those that know it`() throws {
    let daemon = try daemon()
    let enrolling = try daemon.connect()
    try enrolling.send(.enroll(user: "", .rightRingFinger, reader: one.identifier))
    #expect(try enrolling.followEnrolment(as: "ring", on: one).last == .done)
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    guard case .show(.touchReader, let first, _) = try client.next() else { throw TestKitError("no finger is asked for") }
    try one.scan("wrong")
    #expect(try client.next() == .show(.notRecognised, value: 2, detail: ""))
    let ring = TouchForm.swipe | TouchForm.naming(Finger.rightRingFinger.rawValue)
    #expect(first != ring)
    #expect(try client.next() == .show(.touchReader, value: ring, detail: "Virtual device for debugging"))
    try one.scan("ring")
    #expect(try client.next().isSuccess)
  }

  @Test func `misses on both count together, each as one strike, and lock both`() throws {
    let daemon = try daemon()
    let first = try login(daemon)
    for (left, reader) in zip([UInt8(2), 1], [one, two]) {
      try reader.scan("wrong")
      #expect(try first.next() == .show(.notRecognised, value: left, detail: ""))
      try daemon.awaitStrikes(Int(3 - left) + 1)
    }
    try two.scan("wrong")
    #expect(try first.afterShowing() == .askPasscode(.misses))
    try first.cancel()
    #expect(try first.next().verdict == .userCancel)
    #expect(daemon.strikesOnDisk == 3)

    let second = try login(daemon)
    try one.scan("wrong")
    #expect(try second.next() == .show(.notRecognised, value: 1, detail: ""))
    try two.scan("wrong")
    #expect(try second.next() == .show(.locked, value: LockReason.strikes.rawValue, detail: ""))
    #expect(try second.next() == .askPasscode(.lockout))
    try one.awaitClosed()
    try two.awaitClosed()
  }

  @Test func `a cancel before any finger costs nothing`() throws {
    let daemon = try daemon()
    let client = try login(daemon)
    try client.cancel()
    #expect(try client.verdict().verdict == .userCancel)
    try daemon.awaitStrikes(0)
  }

  @Test func `while one is pulled out the other takes the finger`() throws {
    let daemon = try daemon()
    let client = try login(daemon)
    try one.unplug()
    try two.scan("two")
    #expect(try client.next().isSuccess)
  }

  @Test func `signet conf can choose, for logins and for what applications are told`() throws {
    let daemon = try daemon("readers = virtual_device_storage:0")
    let client = try login(daemon)
    #expect(throws: TestKitError.self) { try one.scan("one") }
    try two.scan("two")
    #expect(try client.next().isSuccess)

    let neither = try self.daemon("readers = elsewhere:0")
    let application = try neither.connect()
    try application.openContext()
    #expect(try application.canEvaluate(.deviceOwnerAuthenticationWithBiometrics).verdict == .biometryNotEnrolled)
    let other = try neither.connect()
    try other.authenticate(neither.user, policy: .deviceOwnerAuthenticationWithBiometrics)
    #expect(try other.next().verdict == .biometryNotEnrolled)
  }
}
