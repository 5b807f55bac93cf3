import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

/// A TPM that does not open the device key any more: what is said, what stays locked, and how a passcode brings all of it back.
@Suite struct SealedKeyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let why: String
    var wayOut = "Log in with your passcode once: it has the key sealed anew."
    /// Whether the TPM can seal the key again.
    var isThere = true
    let happen: @Sendable (TPMScene) throws -> Void

    var testDescription: String { name }

    func message(_ path: String) -> String {
      """
      \(path) does not open: \(why). Until it opens no enrolled finger and no vault can be used; passcodes can. \(wayOut)
      """
    }
  }

  static let cases = [
    Case(
      name: "wrong PCR",
      why: "the firmware, or what it starts, is not what it was when the TPM sealed the key (wrong PCR)"
    ) { try $0.tpm.extend(7) },
    Case(name: "cleared", why: "the TPM was cleared") { try $0.tpm.clear() },
    Case(name: "replaced", why: "it was sealed by another TPM") { try $0.tpm.replace() },
    Case(
      name: "missing", why: "there is no TPM, or it cannot be reached",
      wayOut: "Log in with your passcode, which opens it until signetd ends, and see to the TPM, or set `tpm = no`.",
      isThere: false
    ) { $0.tpm.stop() },
    Case(name: "damaged", why: "it is torn or was altered") { try RawFile.overwrite($0.sealedFile, [1, 2, 3]) },
    Case(name: "gone", why: "it is missing") { unlink($0.sealedFile) },
  ]

  @Test(arguments: cases) func `what the TPM does not open stays locked, until the passcode brings it back`(fault: Case) throws {
    let test = try TPMScene()
    let scene = test.scene
    scene.daemon.end(SIGTERM)
    try fault.happen(test)
    try scene.daemon.start()
    #expect(try test.complaint() == fault.message(test.sealedFile))
    #expect(try scene.status().account.keys == .locked)
    #expect(try !test.isFingerEnough())
    #expect(try scene.read(.unasked).end != .done)
    // Nothing was put in the place of the key.
    #expect(!test.exists(scene.deviceKeyFile))

    try scene.loginByPasscode(until: TPMScene.broughtBack)
    try scene.daemon.awaitLog("vault opened")
    #expect(try test.complaint() == nil)
    #expect(try test.isFingerEnough())
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
    #expect(try scene.read(.finger, Proving(touch: scene.touch())).value == Stock.finger.value)
    #expect(!test.exists(scene.deviceKeyFile))

    #expect(try scene.status().account.keys == (fault.isThere ? .tpm : .memory))
    guard fault.isThere else { return }
    try scene.restart()
    #expect(try test.complaint() == nil)
    #expect(try test.isFingerEnough())
  }

  @Test func `a missing TPM that is back opens the key without a passcode`() throws {
    let test = try TPMScene()
    test.scene.daemon.end(SIGTERM)
    test.tpm.stop()
    try test.scene.daemon.start()
    #expect(try test.complaint() != nil)
    try test.tpm.start()
    #expect(try test.complaint() == nil)
    #expect(try test.isFingerEnough())
  }

  @Test func `a TPM that does not answer holds nobody up`() throws {
    let test = try TPMScene()
    test.scene.daemon.end(SIGTERM)
    test.tpm.freeze()
    try test.scene.daemon.start()
    // It never does; who asks is answered all the same.
    #expect(try test.complaint()?.contains("the TPM did not answer in time") == true)
    test.tpm.thaw()
    try wait(for: "the TPM's answer") { try test.complaint() == nil }
    // A login does not wait for long until it is known whether the state is the newest.
    try test.awaitCompared()
    #expect(try test.isFingerEnough())
  }

  @Test func `a new machine's key is never on the disk, and opens without a passcode after a restart`() throws {
    let test = try TPMScene()
    #expect(test.exists(test.sealedFile) && test.exists(test.recoveryFile))
    #expect(!test.exists(test.scene.deviceKeyFile))
    try test.scene.restart()
    #expect(try test.isFingerEnough())
  }

  @Test func `the key file of before is destroyed once the TPM opens its key again`() throws {
    let test = try TPMScene()
    try test.setConfiguration("tpm = no")
    try test.scene.restart()
    try test.scene.loginByPasscode(until: "signet.conf says `tpm = no`")
    #expect(test.exists(test.scene.deviceKeyFile) && !test.exists(test.sealedFile) && !test.exists(test.recoveryFile))
    try test.scene.restart()
    #expect(try test.isFingerEnough())

    // Without a TPM the file stays.
    try test.setConfiguration("tpm = yes")
    test.tpm.stop()
    try test.scene.restart()
    try test.scene.loginByPasscode(until: "does not open")
    #expect(test.exists(test.scene.deviceKeyFile) && !test.exists(test.sealedFile))
    #expect(try test.isFingerEnough())

    try test.tpm.start()
    try test.scene.loginByPasscode(until: "the TPM has sealed the device key")
    #expect(!test.exists(test.scene.deviceKeyFile) && test.exists(test.sealedFile))
    try test.scene.restart()
    #expect(try test.isFingerEnough())
  }

  @Test func `status says where the key is and what that does not protect from`() throws {
    let test = try TPMScene()
    let sealed = try test.scene.status().account
    #expect(sealed.keys == .tpm && sealed.pcrs == 1 << 7)
    #expect(
      KeyText.of(.tpm, pcrs: sealed.pcrs) == """
        sealed by the TPM (PCR 7), whose counter shows an older copy of the disk that is put back. That does not protect \
        from root, from a system that those registers let start, nor from guesses at a passcode by who has the disk
        """)
    try test.setConfiguration("tpm = no")
    try test.scene.restart()
    try test.scene.loginByPasscode(until: "signet.conf says `tpm = no`")
    #expect(try test.scene.status().account.keys == .file)
  }

  @Test func `another choice of PCRs is sealed at the next passcode`() throws {
    let test = try TPMScene()
    try test.setConfiguration("tpm_pcrs = 0 4")
    try test.scene.restart()
    try test.scene.loginByPasscode(until: "the TPM has sealed the device key")
    try test.tpm.extend(7)
    try test.scene.restart()
    #expect(try test.isFingerEnough())
    try test.tpm.extend(4)
    try test.scene.restart()
    #expect(try !test.isFingerEnough())
  }

  @Test func `a passcode that root set brings the key back, too`() throws {
    let test = try TPMScene()
    let daemon = test.scene.daemon
    try daemon.write("passcodes", "\(daemon.user):new horse:signet-passcode\n")
    try test.scene.restart()
    let before = try RawFile.read(test.recoveryFile)
    try test.scene.loginByPasscode("new horse", until: "the vault stays closed")
    #expect(try RawFile.read(test.recoveryFile) != before)
    try test.tpm.extend(7)
    try test.scene.restart()
    try test.scene.loginByPasscode("new horse", until: TPMScene.broughtBack)
    #expect(try test.isFingerEnough())
  }

  @Test func `a sealed file or a copy that was altered anywhere opens nothing and loses nothing`() throws {
    let test = try TPMScene()
    let whole = try RawFile.read(test.sealedFile)
    test.scene.daemon.end(SIGTERM)
    for index in stride(from: 0, to: whole.count, by: whole.count / 24) {
      var bytes = whole
      bytes[index] ^= 0x10
      try RawFile.overwrite(test.sealedFile, bytes)
      try test.scene.daemon.start()
      // Some bytes only say why a key does not open, and whether it is to be sealed anew.
      if let complaint = try test.complaint() {
        #expect(complaint.contains("does not open"), "byte \(index)")
      } else {
        #expect(try test.isFingerEnough(), "byte \(index)")
      }
      #expect(!test.exists(test.scene.deviceKeyFile))
      test.scene.daemon.end(SIGTERM)
    }
    try RawFile.overwrite(test.sealedFile, whole)
    try RawFile.overwrite(test.recoveryFile, [UInt8](repeating: 7, count: 200))
    try test.scene.daemon.start()
    #expect(try test.isFingerEnough())
  }
}
