import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The vault and the passcode that opens it: changed, reset by root, recovered, guessed at.
@Suite struct VaultPasscodeTests {
  private let scene: Scene
  private let old = RunningDaemon.passcode
  private let new = "new horse"
  private static let value = Array("value".utf8)
  private let item = Item(ItemName(service: "mail", account: "me"), accessControl: AccessControl(.devicePasscode))

  init() throws {
    scene = try Scene()
    #expect(
      try scene.ask(.add(user: "", item, length: 5), value: VaultPasscodeTests.value, Proving(passcode: old)).end == .done)
  }

  private func setPasscode(_ passcode: String) throws {
    try scene.daemon.write("passcodes", "\(scene.daemon.user):\(passcode):signet-passcode\n")
  }

  private func read(_ passcode: String) throws -> VaultAnswer {
    try scene.ask(.read(user: "", item.name), Proving(passcode: passcode))
  }

  private func recover(_ passcode: String, old: String) throws -> VaultAnswer {
    try scene.ask(.recover(user: ""), Proving(passcode: passcode, oldPasscode: old))
  }

  private func closeVault() throws { try scene.restart() }

  private var wrongPasscodes: UInt8 {
    get throws {
      let client = try scene.daemon.connect()
      try client.send(.status(user: ""))
      guard case .status(let row) = try client.nextAdministration() else { throw TestKitError("no status") }
      return row.wrongPasscodes
    }
  }

  @Test(arguments: [true, false]) func `a changed passcode opens the vault, and the old one does not`(isOpen: Bool) throws {
    if !isOpen { try closeVault() }
    try setPasscode(new)
    #expect(try scene.daemon.connect().passcodeChanged(scene.daemon.user, from: old, to: new).end == .done)
    try closeVault()
    #expect(try read(new).value == VaultPasscodeTests.value)
    try closeVault()
    try setPasscode(old)
    #expect(try read(old).end == .refused(.otherPasscodeOpensVault))
  }

  @Test func `a passcode that root sets while the vault is open opens it`() throws {
    try setPasscode(new)
    #expect(try scene.daemon.connect().passcodeChanged(scene.daemon.user, from: "", to: new).end == .done)
    try closeVault()
    #expect(try read(new).value == VaultPasscodeTests.value)
  }

  @Test func `one that root sets while it is closed does not, which is said, and the old one recovers all`() throws {
    try closeVault()
    try setPasscode(new)
    let change = try scene.daemon.connect().passcodeChanged(scene.daemon.user, from: "", to: new)
    #expect(change.end == .refused(.oldPasscodeOpensVault) && change.explanation.contains("signet vault recover"))
    let refused = try read(new)
    #expect(refused.end == .refused(.otherPasscodeOpensVault) && refused.explanation.contains("signet vault recover"))
    #expect(try scene.ask(.list(user: "")).items.map(\.item) == [item])
    #expect(try recover(new, old: "no horse").end == .refused(.oldPasscodeWrong))
    #expect(try recover("no horse", old: old).end == .refused(.passcodeFailed))
    let recovered = try recover(new, old: old)
    #expect(recovered.end == .done && recovered.questions == [.passcode(.vault), .passcode(.oldPasscode)])
    try closeVault()
    #expect(try read(new).value == VaultPasscodeTests.value)
  }

  @Test func `a claim of a new passcode that is none changes nothing`() throws {
    #expect(try scene.daemon.connect().passcodeChanged(scene.daemon.user, from: old, to: new).end == .refused(.passcodeFailed))
    #expect(try wrongPasscodes == 1)
    try closeVault()
    #expect(try read(old).value == VaultPasscodeTests.value)
  }

  @Test func `guesses at the old passcode count as wrong ones, however right the present one is`() throws {
    try closeVault()
    try setPasscode(new)
    for count: UInt8 in 1...5 {
      #expect(try recover(new, old: "guess \(count)").end == .refused(.oldPasscodeWrong))
      #expect(try wrongPasscodes == count)
    }
    let delayed = try recover(new, old: old)
    #expect(delayed.end == .refused(.passcodeDelayed) && delayed.questions.isEmpty)
    #expect(try scene.daemon.connect().passcodeChanged(scene.daemon.user, from: old, to: new).end == .refused(.passcodeDelayed))
  }

  @Test func `recovering what opens with the present passcode changes nothing`() throws {
    try closeVault()
    #expect(try recover(old, old: "whatever").end == .done)
    #expect(try read(old).value == VaultPasscodeTests.value)
  }

  @Test func `a reset costs every item, and the next one makes another vault`() throws {
    #expect(try scene.ask(.reset(user: "")).end == .done)
    #expect(scene.daemon.loggedSoFar.contains("vault emptied items=1"))
    #expect(try scene.ask(.list(user: "")).items.isEmpty)
    #expect(try read(old).end == .refused(.notFound))
    let again = VaultRequest.add(user: "", item, length: 5)
    #expect(try scene.ask(again, value: VaultPasscodeTests.value, Proving(passcode: old)).end == .done)
    #expect(try read(old).value == VaultPasscodeTests.value)
  }

  @Test func `without a passcode nobody opens it, and what was for accounts with one is gone`() throws {
    let kept = Item(ItemName(service: "kept", account: ""), accessibility: .whenPasscodeSet)
    #expect(try scene.ask(.add(user: "", kept, length: 0)).end == .done)
    try closeVault()
    try scene.setPasscodeService("auth required pam_permit.so")
    #expect(try read(old).end == .refused(.passcodeNotSet))
    #expect(try scene.ask(.list(user: "")).items.map(\.item) == [item])
  }
}
