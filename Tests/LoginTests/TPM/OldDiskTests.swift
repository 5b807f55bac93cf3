import Foundation
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

/// A disk that is put back while the machine is off: the TPM's counter shows it, and the passcode is the way out.
@Suite struct OldDiskTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// What is said of `pins`, whose path stands for PINS.
    let message: String
    /// While the machine is off, with an older copy of the disk and of the TPM.
    let happen: @Sendable (TPMScene, Older) throws -> Void

    var testDescription: String { name }
  }

  struct Older {
    let disk: String
    let tpm: [UInt8]
  }

  private static let accept = """
    Log in with your passcode once to accept what is there, then see with `signet list` whether each finger is yours.
    """
  private static let writeAnew = "Log in with your passcode once to write it anew."

  static let cases = [
    Case(
      name: "an older disk",
      message: """
        PINS is older than the TPM's counter: an older copy of the disk was put back while the machine was off. \(accept)
        """
    ) { test, older in try test.putBack(older.disk) },
    Case(
      name: "a file that is gone",
      message: "PINS is missing, so nobody can say whether an older copy of the disk was put back. \(writeAnew)"
    ) { test, _ in unlink(test.pinsFile) },
    Case(
      name: "a file that was altered",
      message: """
        PINS is torn, was altered or is another machine's, so nobody can say whether it is the newest. \(writeAnew)
        """
    ) { test, _ in try RawFile.overwrite(test.pinsFile, RawFile.read(test.pinsFile).map { $0 ^ 1 }) },
    Case(
      name: "a counter that is gone",
      message: "The TPM's counter is gone, so nobody can say whether PINS is the newest. \(writeAnew)"
    ) { test, _ in try test.tpm.forgetCounters() },
    Case(
      name: "a counter far behind",
      message: "PINS is ahead of the TPM's counter, which is not the one that it was written for. \(accept)"
    ) { test, older in try test.tpm.putBack(older.tpm) },
  ]

  @Test(arguments: cases) func `what is not the newest locks, until the passcode accepts it`(one: Case) throws {
    let test = try TPMScene()
    let scene = test.scene
    try test.awaitCounted()
    scene.daemon.end(SIGTERM)
    let older = Older(disk: try test.copyDisk(), tpm: try test.tpm.snapshot())
    try test.start()
    for _ in 1...3 {
      try test.miss()
      try test.awaitCounted()
      scene.daemon.end(SIGTERM)
      try test.start()
    }
    try test.switchOff()
    try one.happen(test, older)
    try test.start()

    #expect(try test.complaint() == nil)
    let status = try scene.status().account
    #expect(status.lock == .stateUnusable)
    #expect(status.fault.map(FaultText.of) == one.message.replacing("PINS", with: test.pinsFile))
    #expect(try !test.isFingerEnough())

    try scene.loginByPasscode(until: TPMScene.accepted)
    #expect(try test.isFingerEnough())
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
    try test.switchOff()
    try test.start()
    #expect(try test.complaint() == nil)
    #expect(try scene.status().account.lock == .none)
    #expect(try test.isFingerEnough())
  }

  @Test func `a machine that was only switched off needs nothing`() throws {
    let test = try TPMScene()
    try test.miss()
    try test.switchOff()
    try test.start()
    #expect(try test.complaint() == nil)
    #expect(try test.scene.status().account.lock == .none)
    #expect(try test.scene.status().account.strikes == 1)
    #expect(try test.isFingerEnough())
  }

  @Test func `a miss that the TPM had not counted when the power went is counted at the next start`() throws {
    let test = try TPMScene()
    let scene = test.scene
    scene.daemon.end(SIGTERM)
    let older = try test.copyDisk()
    try test.start()
    #expect(try test.isFingerEnough())
    test.tpm.stop()
    try test.miss()
    // Whoever cancels is answered before the strike of the second scan is given back.
    try wait(for: "the strike to be given back") { try scene.status().account.strikes == 1 }
    try scene.daemon.awaitLog("the TPM does not count")
    scene.daemon.end(SIGKILL)
    try test.switchOff()
    try test.start()
    #expect(try test.complaint() == nil)
    let account = try scene.status().account
    #expect(account.lock == .none)
    #expect(account.strikes == 1)

    try test.switchOff()
    try test.putBack(older)
    try test.start()
    #expect(try test.complaint() == nil)
    #expect(try scene.status().account.lock == .stateUnusable)
  }

  @Test func `the strikes of one user cannot be put back alone`() throws {
    let test = try TPMScene()
    let scene = test.scene
    scene.daemon.end(SIGTERM)
    let strikes = scene.folder + "/strikes"
    let older = try RawFile.read(strikes)
    try test.start()
    try test.miss()
    try test.switchOff()
    try RawFile.overwrite(strikes, older)
    try test.start()
    #expect(try test.complaint() == nil)
    let status = try scene.status().account
    #expect(status.lock == .stateUnusable && status.fault == .strikesOlder(strikes))
    #expect(try !test.isFingerEnough())
    try scene.loginByPasscode(until: "vault opened")
    #expect(try test.isFingerEnough())
  }

  @Test func `a deleted finger that is put back locks, until the passcode accepts it`() throws {
    let test = try TPMScene()
    let scene = test.scene
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: scene.folder).first { $0.hasSuffix(".template") })
    let template = try RawFile.read("\(scene.folder)/\(name)")
    #expect(try test.scene.deleteAll() == .done)
    try test.switchOff()
    try RawFile.create("\(scene.folder)/\(name)", template)
    try test.start()
    #expect(try test.complaint() == nil)
    let status = try scene.status().account
    #expect(status.lock == .stateUnusable)
    #expect(
      status.fault.map(FaultText.of) == """
        \(scene.folder) has other enrolled fingers than those that signetd wrote last. \(OldDiskTests.accept)
        """)
    #expect(try !test.isFingerEnough())
    try scene.loginByPasscode(until: "vault opened")
    #expect(try test.isFingerEnough())
  }

  @Test func `a TPM that lets no counter be made shows nothing, and status says so`() throws {
    let test = try TPMScene { try $0.fillMemory() }
    let scene = test.scene
    try scene.daemon.awaitLog("the TPM lets no counter be made")
    func expectUncounted() throws {
      let row = try scene.status().account
      #expect(row.keys == .tpmUncounted && row.lock == .none)
      #expect(
        KeyText.of(row.keys, pcrs: row.pcrs) == """
          sealed by the TPM (PCR 7), which lets no counter be made. That does not protect from root, from a system that those \
          registers let start, from guesses at a passcode by who has the disk, nor from an older copy of it that is put back \
          while the machine is off
          """)
    }
    try expectUncounted()
    try test.miss()
    try test.switchOff()
    try test.start()
    #expect(try test.complaint() == nil)
    try expectUncounted()
    #expect(try test.isFingerEnough())
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to enroll for another user"))
  func `a passcode accepts what is its user's, and nobody else's`() throws {
    let test = try TPMScene()
    let scene = test.scene
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
    #expect(try scene.status(of: "nobody").account.lock == .none)
    try test.switchOff()
    unlink(test.pinsFile)
    try test.start()
    try scene.loginByPasscode(until: TPMScene.accepted)
    #expect(try test.isFingerEnough())
    func expectUnaccepted() throws {
      let other = try scene.status(of: "nobody").account
      #expect(other.lock == .stateUnusable)
      #expect(
        other.fault.map(FaultText.of) == """
          \(test.pinsFile) has nothing of this user: an older copy of the disk was put back, or the passcode is yet to be \
          entered. \(OldDiskTests.accept)
          """)
    }
    try expectUnaccepted()
    try test.switchOff()
    try test.start()
    #expect(try test.complaint() == nil)
    try expectUnaccepted()

    let root = try scene.daemon.connect()
    try root.send(.reset(user: "nobody"))
    #expect(try root.nextAdministration() == .done)
    #expect(try scene.status(of: "nobody").account.lock == .none)
  }

  @Test func `a TPM that is slow to count holds no login up`() throws {
    let test = try TPMScene()
    #expect(try test.isFingerEnough())
    test.tpm.freeze()
    try test.miss()
    #expect(try test.isFingerEnough())
    test.tpm.thaw()
  }
}
