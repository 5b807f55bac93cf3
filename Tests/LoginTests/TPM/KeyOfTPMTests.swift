import Foundation
import SignetBytes
import SignetDigest
import SignetTestKit
import SignetTokens
import SignetVocabulary
import SignetWire
import SignetWords
import Synchronization
import Testing

@testable import SignetVault

/// Users' keys where a TPM makes them and signs with them.
@Suite struct KeyOfTPMTests {
  private static let name = ItemName(kind: .key, service: "git.example.org", account: "alice")
  private static let digest = SHA256.hash(Array("what is signed".utf8).span)

  private let test: TPMScene
  private var scene: Scene { test.scene }

  init() throws { test = try TPMScene() }

  private func make(
    _ constraints: AccessControl.Constraints = .biometryCurrentSet, _ name: ItemName = Self.name,
    _ accessibility: Accessibility = .whenUnlocked
  ) throws -> ES256PublicKey {
    let item = Item(name, accessControl: AccessControl(constraints), accessibility: accessibility)
    let answer = try scene.ask(.makeKey(user: "", item))
    guard answer.end == .done, let point = answer.value, let key = ES256PublicKey(Array(point.dropFirst())) else {
      throw TestKitError("\(answer)")
    }
    return key
  }

  private func sign(_ proving: Proving = Proving(), with name: ItemName = Self.name) throws -> VaultAnswer {
    try scene.ask(.sign(user: "", name, digest: Self.digest), proving)
  }

  private func isSigned(_ answer: VaultAnswer, by key: ES256PublicKey) -> Bool {
    answer.end == .done && key.verifies(answer.value ?? [], ofDigest: Self.digest)
  }

  /// Whether the TPM has the key, by what lists say.
  private func isInTPM(_ name: ItemName = Self.name) throws -> Bool {
    try #require(try scene.ask(.list(user: "")).items.first { $0.item.name == name }).isInTPM
  }

  @Test func `a finger signs with a key in the TPM, also after a restart of the machine, and openssl verifies that`() throws {
    let key = try make()
    #expect(try isInTPM())
    let answer = try sign(Proving(touch: scene.touch()))
    #expect(isSigned(answer, by: key) && answer.questions == [.finger], "\(answer)")
    let folder = try TemporaryFolder()
    let prefix = try #require(Data(base64Encoded: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"))
    // What r and s are in DER: a number whose highest bit is set has a zero before it.
    let numbers = [answer.value?.prefix(32), answer.value?.suffix(32)].compactMap { $0 }.flatMap { number in
      let digits = Array(number.drop { $0 == 0 })
      let whole = (digits.first ?? 0) & 0x80 == 0 ? digits : [0] + digits
      return [0x02, UInt8(whole.count)] + whole
    }
    try RawFile.create(folder.path + "/key", [UInt8](prefix) + key.point)
    try RawFile.create(folder.path + "/signature", [0x30, UInt8(numbers.count)] + numbers)
    try RawFile.create(folder.path + "/digest", Self.digest)
    let words = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -in digest -sigfile signature"
    let shell = ["/bin/sh", "-c", "cd \(folder.path) && exec \(words) > said"]
    #expect(try Program(shell, environment: ["PATH=/usr/bin:/bin"]).waitForExit() == 0)

    try test.awaitCounted()
    try test.switchOff()
    try test.start()
    let both = Proving(touch: scene.touch(), passcode: RunningDaemon.passcode)
    #expect(isSigned(try sign(both), by: key))
    #expect(try isInTPM())
  }

  @Test func `the disk has what the TPM made and no number, and signetd's memory not even that`() throws {
    let key = try make()
    #expect(isSigned(try sign(Proving(touch: scene.touch())), by: key))
    // So that the test can open the disk.
    try test.setConfiguration("tpm = no")
    try scene.restart()
    try scene.loginByPasscode(until: "signet.conf says `tpm = no`")
    let secrets = try VaultSecrets(scene, [Self.name])
    let value = try #require(secrets.all.first { $0.name == "the value of \(Self.name.service)" }).bytes
    // TPM2B_PUBLIC: ECC with SHA-256, and sign, decrypt, noDA, userWithAuth, sensitiveDataOrigin, fixedParent and fixedTPM, and nothing else.
    try #require(value.count > 200)
    #expect(value[108..<116] == [0x00, 0x23, 0x00, 0x0B, 0x00, 0x06, 0x04, 0x72])
    #expect(isSigned(try sign(Proving(touch: scene.touch())), by: key))
    #expect(try isInTPM())
    if ProcessMemory.isReadable {
      let memory = try ProcessMemory(of: scene.daemon.pid)
      // The authorization value, and the end of the private part; what is between is public.
      let parts = [Array(value[4..<36]), Array(value.suffix(64))]
      #expect(parts.filter { part in (0...part.count - 8).contains { memory.holds(Array(part[$0..<$0 + 8])) } } == [])
      #expect(secrets.found(in: memory.holds).filter { $0 != "the value of \(Self.name.service)" } == [])
    }
    // A new one is in the vault from now on.
    let other = ItemName(kind: .key, service: "other", account: "")
    _ = try make(.userPresence, other)
    #expect(try !isInTPM(other))
  }

  @Test func `what a key in the TPM and another agree on is that of both, by finger`() throws {
    let key = try make()
    #expect(try isInTPM())
    let other = try ES256Key(random: ())
    let request = VaultRequest.agree(user: "", Self.name, point: [4] + other.publicKey.point)
    let answer = try scene.ask(request, Proving(touch: scene.touch()))
    let shared = try other.agree(with: key)
    #expect(answer.value == (0..<shared.count).map { shared.span[$0] } && answer.questions == [.finger], "\(answer)")
    // It signs as well.
    #expect(isSigned(try sign(Proving(touch: scene.touch())), by: key))
  }

  @Test func `a passkey in the TPM signs by the TPM, and its secret is in the vault`() throws {
    let name = ItemName.passkey("c0ffee")
    let key = try make(.userPresence, name)
    #expect(try isInTPM(name))
    func derive() throws -> VaultAnswer {
      try scene.ask(
        .derive(user: "", name, salts: [UInt8](repeating: 7, count: ItemLimit.salt)), Proving(touch: scene.touch()))
    }
    let first = try derive()
    #expect(first.end == .done && first.value?.count == ItemLimit.salt && first.questions == [.finger], "\(first)")
    #expect(isSigned(try sign(Proving(touch: scene.touch()), with: name), by: key))
    #expect(try derive().value == first.value)
  }

  struct Loss: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: TPMFault
    let happen: @Sendable (TPMScene) throws -> Void
  }

  private static let losses = [
    Loss(testDescription: "cleared", fault: .cleared) { try $0.tpm.clear() },
    Loss(testDescription: "replaced", fault: .replaced) { try $0.tpm.replace() },
    Loss(testDescription: "missing", fault: .missing) { $0.tpm.stop() },
  ]

  @Test(arguments: losses) func `what the TPM has lost signs no more, is said, and goes for another one`(loss: Loss) throws {
    let lost = try make(.userPresence)
    let proving = Proving(touch: scene.touch(), passcode: RunningDaemon.passcode)
    #expect(isSigned(try sign(proving), by: lost))
    scene.daemon.end(SIGTERM)
    try loss.happen(test)
    try scene.daemon.start()
    try scene.loginByPasscode(until: TPMScene.broughtBack)
    try scene.daemon.awaitLog("vault opened")
    let answer = try sign(proving)
    #expect(answer.end == .refused(.keyNotSigned) && answer.value == nil)
    #expect(answer.explanation == KeyFaultText.of(loss.fault, 0))
    // It goes by one word, and another one takes its name: in the TPM that is there, or in the vault.
    #expect(try scene.ask(.delete(user: "", Self.name)).end == .done)
    let key = try make(.userPresence)
    #expect(isSigned(try sign(proving), by: key) && key != lost)
    #expect(try isInTPM() == (loss.fault != .missing))
  }

  @Test func `a TPM that does not answer signs nothing, makes no key, and holds up no login`() throws {
    let (vault, plain) = (ItemName(kind: .key, service: "vault", account: ""), AccessControl.Constraints())
    let key = try make(plain, Self.name, .afterFirstUnlock)
    test.tpm.freeze()
    nonisolated(unsafe) let shared = scene
    let silent = Mutex<VaultAnswer?>(nil)
    let asker = Thread { silent.withLock { $0 = try? shared.ask(.sign(user: "", Self.name, digest: Self.digest)) } }
    asker.start()
    _ = try scene.awaitChild(named: "signet-tpm")
    #expect(try test.isFingerEnough())
    #expect(!asker.isFinished)
    try wait(for: "the asker") { asker.isFinished }
    #expect(silent.withLock { $0?.end } == .refused(.keyNotSigned))
    #expect(silent.withLock { $0?.explanation } == KeyFaultText.of(.silent, 0))
    let made = try make(plain, vault, .afterFirstUnlock)
    #expect(try !isInTPM(vault))
    try scene.daemon.awaitLog("the TPM makes no key: it did not answer in time. It is made in the vault")
    #expect(isSigned(try sign(with: vault), by: made))
    test.tpm.thaw()
    try wait(for: "a signature") { isSigned(try sign(), by: key) }
  }

  @Test func `four programs sign at once, one after the other in the TPM`() throws {
    let key = try make([], Self.name, .afterFirstUnlock)
    nonisolated(unsafe) let shared = scene
    let answers = Mutex<[VaultAnswer]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      guard let client = try? shared.daemon.connect(), (try? client.openContext()) != nil else { return }
      for _ in 0..<3 {
        guard let answer = try? client.ask(.sign(user: "", Self.name, digest: Self.digest)) else { return }
        answers.withLock { $0.append(answer) }
      }
    }
    let all = answers.withLock { $0 }
    #expect(all.count == 12 && all.allSatisfy { isSigned($0, by: key) }, "\(all)")
  }

  enum End: CaseIterable { case finger, fiveStrikes, signetLock }

  @Test(arguments: End.allCases) func `another finger, five misses and a lock hold as for a key in the vault`(end: End) throws {
    let key = try make()
    switch end {
    case .finger: #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    case .fiveStrikes: try scene.strikeOut()
    case .signetLock: try scene.lock()
    }
    let answer = try sign(Proving(touch: scene.touch()))
    #expect(answer.end != .done && answer.value == nil, "\(answer)")
    #expect(answer.questions == (end == .finger ? [] : [.passcode(.vault)]))
    if end == .finger { return #expect(answer.end == .refused(.fingersChanged)) }
    #expect(isSigned(try sign(Proving(touch: scene.touch(), passcode: RunningDaemon.passcode)), by: key))
  }

  @Test func `each fault of the TPM has words of its own for a key`() {
    let faults: [TPMFault] = [.missing, .noLibrary, .cleared, .replaced, .refused, .silent, .damaged]
    #expect(Set(faults.map { KeyFaultText.of($0, 0x921) }).count == faults.count)
    #expect(KeyFaultText.of(.refused, 0x921).contains("0x921"))
  }
}
