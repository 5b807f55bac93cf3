import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

/// The first finger after a restart, where signet.conf lets it open the vault.
@Suite(.enabled(if: geteuid() == 0, "needs root, to mount")) struct FirstFingerTests {
  typealias Login = FirstFingerScene.Login

  @Test func `by default only the passcode opens the vault after a restart`() throws {
    let test = try FirstFingerScene(configuration: "")
    #expect(!test.hasSlot)
    try test.restart()
    #expect(try test.state == .off)
    #expect(try test.scene.status().account.lock == .restart)
    #expect(try test.logIn() == .needsPasscode(.restart))
    try test.enterPasscode()
    #expect(!test.hasSlot)
  }

  @Test func `where it is wanted, the finger opens the vault and has the login secret released`() throws {
    let test = try FirstFingerScene()
    #expect(test.hasSlot)
    for _ in 1...2 {
      try test.restart()
      #expect(try test.state == .ready)
      let status = try test.scene.status()
      #expect(status.account.lock == .none && status.vault.state == .closed)
      #expect(try test.scene.read(.unasked).end != .done)
      #expect(try test.logIn() == .released)
      #expect(test.scene.daemon.loggedSoFar.contains("vault opened by the first finger after a restart"))
      #expect(try test.scene.status().vault.state == .open)
      #expect(try test.scene.read(.unasked).value == Stock.unasked.value)
      #expect(try test.logIn() == .released)
    }
  }

  @Test func `an application is told that a finger is enough, and its evaluation opens the vault`() throws {
    let test = try FirstFingerScene()
    try test.restart()
    #expect(try test.state == .ready)
    let application = try test.scene.daemon.connect()
    try application.openContext()
    let policy = Policy.deviceOwnerAuthenticationWithBiometrics
    #expect(try application.canEvaluate(policy).verdict == .success)
    let answer = try application.evaluate(policy) { event in
      guard case .show(.touchReader, _) = event else { return false }
      try test.scene.reader.scan("right")
      return true
    }
    #expect(answer.end.verdict == .success)
    #expect(try test.scene.status().vault.state == .open)
  }

  @Test func `what the finger opened stays closed once it was closed, until the passcode`() throws {
    let test = try FirstFingerScene()
    try test.restart()
    #expect(try test.logIn() == .released)
    try test.scene.restart()
    #expect(try test.logIn() == .needsPasscode(.vaultClosed))
    try test.scene.lock()
    #expect(!test.hasSlot)
    try test.restart()
    #expect(try test.logIn() == .needsPasscode(.requested))
    try test.enterPasscode()
    #expect(test.hasSlot)
  }

  @Test func `the lockout comes first, and a reset by root does not make up for the passcode`() throws {
    let test = try FirstFingerScene()
    try test.restart()
    for _ in 1...5 { #expect(try test.logIn("wrong").wasAskedForFinger) }
    #expect(try test.scene.status().account.lock == .strikes)
    #expect(!test.hasSlot)
    #expect(try test.logIn() == .needsPasscode(.strikes))
    let root = try test.scene.daemon.connect()
    try root.send(.reset(user: ""))
    #expect(try root.nextAdministration() == .done)
    #expect(try test.state == .unwritten)
    #expect(try test.logIn() == .needsPasscode(.restart))
    try test.enterPasscode()
    try test.restart()
    #expect(try test.logIn() == .released)
  }

  @Test func `a miss is charged before the finger opens anything`() throws {
    let test = try FirstFingerScene()
    try test.restart()
    let miss = try test.logIn("wrong")
    #expect(!miss.isSuccess && miss.authtok.isEmpty)
    #expect(try test.scene.status().vault.state == .closed)
    #expect(test.scene.daemon.strikesOnDisk == 1)
    #expect(try test.logIn() == .released)
    try test.scene.daemon.awaitStrikes(0)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let state: FingerAfterRestart
    /// Why the passcode opens the vault, as `signet status` says it.
    let words: String
    let happen: @Sendable (FirstFingerScene) throws -> Void

    var testDescription: String { name }
  }

  private static let uncounted = """
    : the TPM's counter does not say that this is the newest state. Enter the passcode, which accepts this state, unless the TPM \
    lets no counter be made.
    """
  private static let withoutTPM = """
    : the TPM does not have the device key alone, and who takes the disk would have every vault. See to the TPM, or set \
    `finger_after_restart = no` in signet.conf.
    """

  static let faults = [
    Fault(
      name: "damaged", state: .damaged,
      words: ": users/UID/device is torn, was altered or is another user's. The passcode writes it anew."
    ) { try RawFile.overwrite($0.slotFile, RawFile.read($0.slotFile).dropLast() + [0, 1]) },
    Fault(name: "gone", state: .unwritten, words: "; after the next passcode a finger does, too") { unlink($0.slotFile) },
    Fault(
      name: "of other fingers", state: .outdated,
      words: ": users/UID/device is of another passcode or of other fingers: an older copy. The passcode writes it anew."
    ) { test in
      let older = try RawFile.read(test.slotFile)
      try test.scene.daemon.start()
      #expect(try test.scene.enroll(.leftThumb, as: "left").last == .done)
      #expect(!test.hasSlot)
      test.scene.daemon.end(SIGTERM)
      try RawFile.create(test.slotFile, older)
    },
    Fault(
      name: "an older disk", state: .unpinned, words: uncounted
    ) { test in
      let older = try test.test.copyDisk()
      try test.scene.daemon.start()
      try test.test.miss()
      test.scene.daemon.end(SIGTERM)
      try test.test.putBack(older)
    },
    Fault(
      name: "no counter", state: .unpinned, words: uncounted
    ) { try $0.test.tpm.forgetCounters() },
    Fault(
      name: "another TPM", state: .withoutTPM, words: withoutTPM
    ) { try $0.test.tpm.replace() },
    Fault(
      name: "no TPM", state: .withoutTPM, words: withoutTPM
    ) { $0.test.tpm.stop() },
  ]

  @Test(arguments: faults) func `where the slot is not to be believed the passcode comes first`(fault: Fault) throws {
    let test = try FirstFingerScene()
    try test.restartInDoubt { try fault.happen(test) }
    _ = try test.test.complaint()
    if !["another TPM", "no TPM"].contains(fault.name) { try test.test.awaitCompared() }
    let row = try test.scene.status().account
    #expect(row.afterRestart == fault.state && row.lock != .none)
    let words = "the passcode opens the vault" + fault.words.replacing("UID", with: "\(row.uid)")
    #expect(RestartText.of(row.afterRestart, uid: row.uid) == words)
    let login = try test.logIn()
    #expect(!login.isSuccess && !login.wasAskedForFinger)
    try test.enterPasscode()
    guard fault.name != "no TPM" else { return #expect(!test.hasSlot) }
    try test.restart()
    #expect(try test.test.complaint() == nil)
    #expect(try test.state == .ready)
    // Other fingers have the login secret no more, and so no keyring without the passcode.
    #expect(try test.logIn() == (fault.state == .outdated ? .needsPasscode(.restart) : .released))
  }

  @Test func `after a change of the passcode the older file is of no use`() throws {
    let test = try FirstFingerScene()
    let older = try RawFile.read(test.slotFile)
    try test.scene.daemon.write("passcodes", "\(test.scene.daemon.user):new horse:signet-passcode\n")
    try test.enterPasscode("new horse", until: "the vault opens with the new passcode")
    #expect(try RawFile.read(test.slotFile) != older)
    try test.restart { try RawFile.overwrite(test.slotFile, older) }
    #expect(try test.state == .outdated)
    #expect(try test.logIn() == .needsPasscode(.restart))
    #expect(test.scene.daemon.loggedSoFar.contains("no finger opens the vault after this restart: outdated"))
    try test.enterPasscode("new horse")
    try test.restart()
    #expect(try test.logIn() == .released)
  }

  @Test func `a passcode that does not open the vault takes that from the finger, too`() throws {
    let test = try FirstFingerScene()
    try test.restart()
    try test.scene.daemon.write("passcodes", "\(test.scene.daemon.user):root's horse:signet-passcode\n")
    try test.enterPasscode("root's horse", until: "the vault stays closed")
    #expect(!test.hasSlot)
    try test.restart()
    #expect(try test.logIn() == .needsPasscode(.restart))
  }

  @Test func `the last finger, the vault and the setting take the slot with them`() throws {
    let test = try FirstFingerScene()
    try test.test.setConfiguration("finger_after_restart = no", inPlaceOf: "finger_after")
    try test.scene.restart()
    #expect(!test.hasSlot)
    try test.test.setConfiguration(FirstFingerScene.wanted, inPlaceOf: "finger_after")
    try test.scene.restart()
    try test.enterPasscode()
    #expect(test.hasSlot)
    #expect(try test.scene.ask(.reset(user: "")).end == .done)
    #expect(!test.hasSlot)
    try test.enterPasscode(until: "vault made")
    #expect(test.hasSlot)
    #expect(try test.test.scene.deleteAll() == .done)
    #expect(!test.hasSlot)
  }

  @Test func `with the device key in a file it does nothing, and status says so`() throws {
    let test = try FirstFingerScene(configuration: "\(FirstFingerScene.wanted)\n")
    try test.test.setConfiguration("tpm = no")
    try test.scene.restart()
    #expect(!test.hasSlot)
    try test.enterPasscode(until: "signet.conf says `tpm = no`")
    #expect(try test.state == .withoutTPM)
    #expect(!test.hasSlot)
    try test.restartInDoubt()
    #expect(try test.logIn() == .needsPasscode(.restart))
  }

  @Test func `where the TPM lets no counter be made it does nothing`() throws {
    let test = try FirstFingerScene(prepare: { try $0.fillMemory() })
    try test.restart()
    #expect(try test.test.complaint() == nil)
    #expect(try test.state == .unpinned)
    #expect(try test.logIn() == .needsPasscode(.restart))
  }

  @Test func `where time asks for the passcode it does nothing`() throws {
    let test = try FirstFingerScene(rules: "")
    #expect(!test.hasSlot)
    try test.restart()
    #expect(try test.state == .timed)
    #expect(try test.logIn() == .needsPasscode(.restart))
  }
}
