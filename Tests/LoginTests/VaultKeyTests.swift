import Foundation
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetVault

/// When a user's key is in signetd's memory, and where: by the real signetd, from the passcode to the lock.
@Suite(.serialized) struct VaultKeyTests {
  private let passcode = RunningDaemon.passcode

  // MARK: - what is done

  private func key(_ scene: Scene, _ passcode: String) throws -> [UInt8] {
    let bytes = Array(passcode.utf8)
    let key = try scene.diskVault().openKey(passcode: bytes.span)
    return Array(copying: key.span)
  }

  private func order(_ request: AdministrationRequest, _ scene: Scene) throws -> AdministrationReply {
    let client = try scene.daemon.connect()
    try client.send(request)
    return try client.nextAdministration()
  }

  private func setPasscode(_ passcode: String, _ scene: Scene) throws {
    try scene.daemon.write("passcodes", "\(scene.daemon.user):\(passcode):signet-passcode\n")
  }

  // MARK: - what is seen

  /// Expects that the key is only in memory that nobody can read. Without memfd_secret(2) this cannot be seen from outside.
  private func expectSecret(
    _ key: [UInt8], mappings: Int, _ scene: Scene, _ location: SourceLocation = #_sourceLocation
  ) throws {
    // The message is given, because the default one would print the memory.
    let memory = try ProcessMemory(of: scene.daemon.pid)
    let (canFind, hasKey) = (memory.holds(Array("signet-reader".utf8)), memory.holds(key))
    #expect(canFind, "what signetd has can be found", sourceLocation: location)
    #expect(!hasKey, sourceLocation: location)
    let found = try scene.secretMappings()
    #expect(found == mappings, sourceLocation: location)
  }

  private static let canRead: ConditionTrait = .enabled(
    if: ProcessMemory.isReadable, "needs root, and a signetd without a sanitizer, to read its memory")

  @Test(canRead, arguments: ["strikes", "lock", "session", "revoked", "stop"])
  func `an open key is in secret memory only, and gone after`(what: String) throws {
    let scene = try Scene()
    try expectSecret([UInt8](repeating: 0xA5, count: 32), mappings: 0, scene)
    let token = try scene.loginByPasscode(until: "vault made")
    let key = try key(scene, passcode)
    try expectSecret(key, mappings: 1, scene)
    switch what {
    case "strikes": try scene.strikeOut()
    case "lock": try scene.lock()
    case "session", "revoked":
      try scene.openSession(token)
      let other = try scene.loginByPasscode(until: "vault opened")
      try scene.openSession(other)
      try scene.closeSession(token)
      try expectSecret(key, mappings: 1, scene)
      if what == "session" { try scene.closeSession(other) } else { try revokeAll(scene) }
    default:
      scene.daemon.end(SIGTERM)
      try scene.daemon.start()
    }
    if what != "stop" { try scene.daemon.awaitLog("vault closed") }
    try expectSecret(key, mappings: 0, scene)
    try scene.loginByPasscode(until: "vault opened")
    try expectSecret(key, mappings: 1, scene)
  }

  private func revokeAll(_ scene: Scene) throws {
    let client = try scene.daemon.connect()
    try client.send(.sessions)
    while case .session(let row) = try client.nextAdministration() {
      #expect(try order(.revokeSession(identifier: row.identifier), scene) == .done)
    }
  }

  @Test func `a passcode that was changed while the key was away does not open the vault, which says so and keeps all`() throws {
    let scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
    try scene.restart()
    let slot = try RawFile.read(scene.folder + "/key")
    try setPasscode("another horse", scene)
    try scene.loginByPasscode("another horse", until: "the vault stays closed")
    #expect(try RawFile.read(scene.folder + "/key") == slot)
    let client = try scene.daemon.connect()
    try client.send(.history(user: "", limit: 100))
    var events: [Event] = []
    while case .event(let row) = try client.nextAdministration() { events.append(row.event) }
    #expect(events.filter { $0.kind == .vaultUnopened } == [.vaultUnopened(.wrongPasscode)])
    try setPasscode(passcode, scene)
    try scene.loginByPasscode(until: "vault opened")
  }

  @Test func `a passcode that was changed while the key was there opens the same vault from then on`() throws {
    let scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
    let key = try key(scene, passcode)
    try setPasscode("another horse", scene)
    try scene.loginByPasscode("another horse", until: "the vault opens with")
    #expect(try self.key(scene, "another horse") == key)
    #expect(throws: VaultError.self) { try self.key(scene, passcode) }
    try scene.restart()
    try scene.loginByPasscode("another horse", until: "vault opened")
  }

  // MARK: - the enrolled fingers

  private func generation(_ scene: Scene) throws -> UInt64 { try scene.diskVault().fingerSet().generation }

  @Test func `a change of fingers renews the set before it is done`() throws {
    let scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
    let first = try generation(scene)
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    let second = try generation(scene)
    #expect(second > first)
    #expect(try scene.deleteAll() == .done)
    #expect(try generation(scene) > second)
  }

  @Test func `no finger is enrolled where the set cannot be renewed, and a deletion says what it could not do`() throws {
    let scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
    unlink("\(scene.daemon.stateDirectory)/epochs/\(scene.daemon.uid)")
    guard case .refused(let why)? = try scene.enroll(.leftThumb, as: "left").last, why.code == .vaultUnavailable else {
      Issue.record("enrolled")
      return
    }
    #expect(why.words.contains("epochs"))
    #expect(!(try FileManager.default.contentsOfDirectory(atPath: scene.folder)).contains { $0.hasPrefix("left-thumb") })
    guard case .refused(let rest) = try scene.deleteAll(), rest.code == .deletedWithFault else {
      Issue.record("not said")
      return
    }
    #expect(rest.words.contains("deleted") && rest.words.contains("epochs"))
    #expect(throws: TestKitError.self) { try scene.templateFile }
  }

  // MARK: - restarts

  @Test(canRead) func `systemd keeps the key while signetd is away, and gives it up when it is erased`() throws {
    let scene = try Scene()
    let name = "vault-\(scene.daemon.uid)"
    let manager = try FakeServiceManager(path: scene.daemon.folder + "/notify")
    scene.daemon.launcher = manager.launcher()
    try scene.restart()
    let token = try scene.loginByPasscode(until: "vault made")
    try scene.openSession(token)
    try manager.await("FDSTORE=1")
    let kept = try #require(manager.kept[name], "the kernel has no memfd_secret(2): secretmem.enable=1")

    scene.daemon.launcher = manager.launcher(passing: name)
    scene.daemon.standardInput = kept
    try scene.restart(SIGKILL)
    try scene.daemon.awaitLog("vault open: its key was kept")
    try expectSecret(key(scene, passcode), mappings: 1, scene)

    let page = mmap(nil, 4096, PROT_READ, MAP_SHARED, kept, 0)!
    defer { munmap(page, 4096) }
    let bytes = UnsafeRawBufferPointer(start: page, count: 4096)
    #expect(bytes.contains { $0 != 0 })
    try scene.lock()
    #expect(bytes.allSatisfy { $0 == 0 })
    try manager.await("FDSTOREREMOVE=1")
    #expect(manager.kept.isEmpty)

    // There is no key any more that the next signetd could be given.
    scene.daemon.standardInput = nil
  }

  @Test(canRead) func `a key that was kept is of no use to who was locked meanwhile`() throws {
    let scene = try Scene()
    let name = "vault-\(scene.daemon.uid)"
    let manager = try FakeServiceManager(path: scene.daemon.folder + "/notify")
    scene.daemon.launcher = manager.launcher()
    try scene.restart()
    try scene.openSession(try scene.loginByPasscode(until: "vault made"))
    try manager.await("FDSTORE=1")
    let kept = try #require(manager.kept[name], "the kernel has no memfd_secret(2): secretmem.enable=1")
    scene.daemon.end(SIGKILL)
    unlink(scene.strikesFile)
    scene.daemon.launcher = manager.launcher(passing: name)
    scene.daemon.standardInput = kept
    try scene.daemon.start()
    try scene.daemon.awaitLog("vault closed: its key was kept")
    #expect(try scene.secretMappings() == 0)
    try manager.await("FDSTOREREMOVE=1")
  }

  // MARK: - cost

  /// What signetd has computed so far, in clock ticks.
  private func ticks(_ scene: Scene) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(scene.daemon.pid)/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }

  @Test func `a passcode costs scrypt after the verdict, a finger never`() throws {
    let scene = try Scene(configuration: RunningDaemon.usualScrypt)
    try scene.loginByPasscode(until: "vault made")
    let before = try ticks(scene)
    for _ in 1...3 { #expect(try scene.attempt("right").isSuccess) }
    let afterFingers = try ticks(scene)
    try scene.loginByPasscode(until: "vault opened")
    let passcodeTicks = try ticks(scene) - afterFingers
    // Three logins by finger together are far from one scrypt.
    #expect((afterFingers - before) * 3 < passcodeTicks)
  }
}
