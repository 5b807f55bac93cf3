import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// signetd killed at each call with which it changes the disk, during each change of a vault: the old state or the new one is
/// there, whole, and what was reported as done is. Cuts between any two writes are SignetVaultTests.PowerCutTests'; here
/// are the real process, its threads, its answers, and whatever else it writes meanwhile.
@Suite(
  .serialized,
  .enabled(if: Strace.isAvailable, "needs root and strace; `make deps` installs strace, CI runs as root"))
struct VaultCrashTests {
  private let scene: Scene
  private let manager: FakeServiceManager
  private var name: String { "vault-\(scene.daemon.uid)" }

  /// systemd keeps the key, so that no start costs scrypt.
  init() throws {
    scene = try Scene(configuration: "vault_close_with_session = no")
    manager = try FakeServiceManager(path: scene.daemon.folder + "/notify")
    scene.daemon.launcher = manager.launcher()
    try scene.restart()
    try scene.loginByPasscode(until: "vault made")
    for one in Stock.allCases { #expect(try scene.store(one.item, one.value).end == .done) }
    try manager.await("FDSTORE=1")
    let kept: Int32 = try #require(manager.kept[name], "the kernel has no memfd_secret(2): secretmem.enable=1")
    scene.daemon.standardInput = kept
    scene.daemon.launcher = manager.launcher(passing: name)
  }

  /// Makes the change again and again, killing signetd at another of these calls each time. `check` gets the reply, if signetd
  /// lived long enough to send one.
  private func killAtEach(
    of calls: Set<String>, doing change: (Int) throws -> VaultAnswer.End, before prepare: (Int) throws -> Void = { _ in },
    check: (Int, VaultAnswer.End?, Step) throws -> Void
  ) throws {
    try prepare(0)
    let calm = try Strace(scene.daemon.pid)
    #expect(try change(0) == .done)
    let steps = try calm.steps().filter { calls.contains($0.call) }
    try #require(steps.count > 3, "\(steps)")
    var killed = 0
    for (number, step) in zip(1..., steps) {
      try prepare(number)
      let pid = scene.daemon.pid
      let strace = try Strace(pid, killingAt: step)
      let end = try? change(number)
      if ends(pid, within: end == nil ? 10_000 : 50) { killed += 1 }
      withExtendedLifetime(strace) {}
      try scene.restart(SIGKILL)
      // The socket has room for a few notifications only. Unless they are read, later ones are lost.
      try manager.await("READY=1")
      try check(number, end, step)
    }
    #expect(killed * 10 >= steps.count * 8, "only \(killed) of \(steps.count) steps were reached")
  }

  private static let writing: Set = ["write", "fsync", "renameat", "renameat2", "unlinkat"]

  private func value(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 5_000) }

  @Test func `an update is made or not made, and what was said to be done is`() throws {
    var current = value(0)
    try killAtEach(of: Self.writing, doing: { try scene.store(Stock.unasked.item, value($0), replaces: true).end }) {
      number, end, step in
      let found = try scene.read(.unasked).value
      #expect(found == value(number) || end == nil && found == current, "at \(step): \(String(describing: end))")
      current = found ?? []
      #expect(try scene.read(.finger, Proving(touch: scene.touch())).value == Stock.finger.value, "at \(step)")
    }
    try expectSound()
  }

  @Test func `an item is added or not added, and what was said to be stored is`() throws {
    let item = { (number: Int) in Item(ItemName(service: "item \(number)", account: ""), accessibility: .afterFirstUnlock) }
    try killAtEach(of: Self.writing, doing: { try scene.store(item($0), value($0)).end }) { number, end, step in
      let answer = try scene.ask(.read(user: "", item(number).name))
      #expect(answer.value == value(number) || end == nil && answer.end == .refused(.notFound), "at \(step): \(answer.end)")
      #expect(try scene.ask(.list(user: "")).items.allSatisfy { $0.isOfCurrentSet }, "at \(step)")
      #expect(try scene.ask(.read(user: "", item(0).name)).value == value(0), "at \(step)")
    }
    try expectSound()
  }

  @Test func `a deletion is made or not made, and the others stay`() throws {
    let item = Item(ItemName(service: "doomed", account: ""), accessibility: .afterFirstUnlock)
    let prepare = { (_: Int) in
      let end = try scene.store(item, [1]).end
      guard end == .done || end == .refused(.duplicateItem) else { throw TestKitError("\(end)") }
    }
    try killAtEach(of: Self.writing, doing: { _ in try scene.ask(.delete(user: "", item.name)).end }, before: prepare) {
      _, end, step in
      let answer = try scene.ask(.read(user: "", item.name))
      let isGone = answer.end == .refused(.notFound)
      #expect(isGone || end == nil && answer.value == [1], "at \(step): \(answer)")
      #expect(try scene.read(.unasked).value == Stock.unasked.value, "at \(step)")
    }
    try expectSound()
  }

  @Test func `at no moment of an enrolment is there a new finger and what the old ones open`() throws {
    let item = Item(ItemName(service: "bound", account: ""), accessControl: AccessControl(.biometryCurrentSet))
    var before: [String: [UInt8]] = [:]
    let prepare = { (_: Int) in
      let end = try scene.store(item, [1]).end
      if end != .done { #expect(try scene.store(item, [1], replaces: true).end == .done) }
      before = try templates()
    }
    let enroll = { (number: Int) -> VaultAnswer.End in
      switch try scene.enroll(.leftThumb, as: "left \(number)").last {
      case .done: .done
      case .refused(let refusal): .refused(refusal.code)
      default: throw TestKitError("no answer")
      }
    }
    try killAtEach(of: ["fsync", "renameat", "renameat2"], doing: enroll, before: prepare) { _, end, step in
      let isNew = try templates() != before
      #expect(isNew || end == nil, "at \(step)")
      let answer = try scene.ask(.read(user: "", item.name), Proving(touch: scene.touch()))
      #expect(isNew ? answer.end == .refused(.fingersChanged) : true, "at \(step): \(answer)")
      #expect(answer.value == nil || answer.value == [1])
    }
    try expectSound()
  }

  private func templates() throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder)
    return try names.filter { $0.hasSuffix(".template") }.reduce(into: [:]) { $0[$1] = try RawFile.read("\(scene.folder)/\($1)") }
  }

  @Test func `the vault opens with the old passcode or with the new one`() throws {
    var passcodes = [RunningDaemon.passcode]
    let change = { (number: Int) -> VaultAnswer.End in
      passcodes.append("horse \(number)")
      try scene.setPasscode(passcodes[passcodes.count - 1])
      return try scene.daemon.connect().passcodeChanged(
        scene.daemon.user, from: passcodes[passcodes.count - 2], to: passcodes[passcodes.count - 1]
      ).end
    }
    try killAtEach(of: ["renameat", "renameat2"], doing: change) { _, end, step in
      let opening = try passcodes.suffix(end == .done ? 1 : 2).filter(opens)
      #expect(opening.count == 1, "at \(step): \(String(describing: end)), \(opening)")
      #expect(try scene.read(.unasked).value == Stock.unasked.value, "at \(step)")
      // The next change starts from what opens it now.
      passcodes = opening
      try scene.resetStrikes()
    }
  }

  private func opens(_ passcode: String) throws -> Bool {
    let bytes = Array(passcode.utf8)
    return (try? scene.diskVault().openKey(passcode: bytes.span)) != nil
  }

  /// Expects that nothing is left over that a listing would report, and that the next change works.
  private func expectSound() throws {
    #expect(try scene.store(Stock.unasked.item, [7], replaces: true).end == .done)
    let status = try scene.status()
    #expect(status.vault.state == .open && status.vault.explanation.isEmpty, "\(status)")
    let files = try FileManager.default.contentsOfDirectory(atPath: scene.folder + "/items")
    #expect(files.count == Int(status.vault.items), "\(files)")
  }
}

extension Scene {
  fileprivate func resetStrikes() throws {
    let client = try daemon.connect()
    try client.send(.reset(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("no reset") }
  }
}
