import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetVault

/// Who waits while the real signetd opens a vault by the passcode.
@Suite(.serialized) struct ScryptWaitTests {
  /// A vault that takes four times as long to open, so that there is time to ask for something else.
  private func slowScene() throws -> Scene {
    let scene = try Scene.stocked()
    let passcode = Array(RunningDaemon.passcode.utf8)
    let vault = try scene.diskVault()
    let cost = ScryptCost(logN: 17, r: 8, p: 4)
    try vault.rewrap(vault.openKey(passcode: passcode.span), under: PasscodeKey(passcode.span, ScryptSalt(randomFor: cost)))
    return scene
  }

  @Test func `while a vault is opened its user's status and history, and others' logins, are answered`() throws {
    let scene = try slowScene()
    try scene.lockNow()
    let client = try scene.begin(.read(user: "", Stock.passcode.name))
    #expect(try client.nextQuestion() == .askPasscode(.vault))
    try client.answer(passcode: RunningDaemon.passcode)
    try scene.awaitScrypt()

    #expect(try scene.status().vault.state == .closed)
    #expect(try scene.ask(.list(user: "")).items.count == Stock.allCases.count)
    let history = try scene.daemon.connect()
    try history.send(.history(user: "", limit: 5))
    while try history.nextAdministration() != .done {}
    let other = try scene.daemon.connect()
    try other.authenticate("nobody")
    #expect(try other.afterShowing().verdict == .biometryNotEnrolled)
    #expect(try scene.isComputingScrypt(), "they were answered after scrypt, not meanwhile")

    #expect(try client.awaitValue() == Stock.passcode.value)
  }

  @Test(.enabled(if: Strace.isAvailable, "strace(1) is missing, or this is not root"))
  func `scrypt's memory is not filled at once, while which nobody's login could begin`() throws {
    let scene = try Scene.stocked(configuration: RunningDaemon.usualScrypt)
    try scene.lockNow()
    let strace = try Strace(scene.daemon.pid)
    let client = try scene.begin(.read(user: "", Stock.passcode.name))
    #expect(try client.nextQuestion() == .askPasscode(.vault))
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.awaitValue() == Stock.passcode.value)
    let maps = try strace.lines().filter { line in
      // scrypt's 128 MiB: nothing else that large is for use at once.
      line.contains(" mmap(") && line.contains("PROT_READ|PROT_WRITE")
        && line.split(separator: ", ").dropFirst().first.flatMap { Int($0) } ?? 0 > 100_000_000
    }
    #expect(maps.count == 1 && !maps[0].contains("MAP_POPULATE"), "\(maps)")
  }
}
