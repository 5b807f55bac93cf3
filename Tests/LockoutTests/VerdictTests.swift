import CPAM
import Glibc
import SignetTestKit
import Testing

/// Verdicts that come late, twice, out of turn or from a reader that was replaced: a scripted reader before the real
/// signetd. Whatever it says, a strike is not lost by it and nobody gets in by a finger that was not asked for.
@Suite struct VerdictTests {
  private let scene: ReaderScene
  private var reader: ScriptedReader { scene.reader }

  init() throws { scene = try ReaderScene() }

  @Test func `a match of the scan that is under way succeeds, and clears the strikes`() throws {
    let (client, scan) = try scene.login()
    try reader.send(.match(operation: scan, index: 0))
    #expect(try client.next().isSuccess)
    // The user is told before the disk is waited for; a status waits for both.
    let status = try scene.daemon.connect()
    try status.send(.status(user: ""))
    _ = try status.nextAdministration()
    #expect(scene.strikes == 0)
  }

  @Test func `a match that comes after the cancel counts for nothing, and the strike stays`() throws {
    let (client, scan) = try scene.login()
    try client.cancel()
    try reader.awaitCancel()
    try reader.send(.match(operation: scan, index: 0))
    #expect(try client.next().verdict == .userCancel)
    #expect(scene.strikes == 1)
  }

  @Test func `a match that comes after the time-out counts for nothing, and the strike stays`() throws {
    let (client, scan) = try scene.login(timeout: 1)
    try reader.awaitCancel()
    try reader.send(.match(operation: scan, index: 0))
    #expect(try client.afterShowing() == .askPasscode(.timedOut))
    #expect(scene.strikes == 1)
  }

  @Test func `a match in a cancelled login serves no later one`() throws {
    let (first, scan) = try scene.login()
    try first.cancel()
    try reader.awaitCancel()
    try reader.send(.failed(operation: scan, .cancelled, explanation: ""))
    _ = try first.next()
    let (second, _) = try scene.login()
    try reader.send(.match(operation: scan, index: 0))
    try second.fallback()
    try reader.awaitCancel()
    try reader.send(.match(operation: scan, index: 0))
    #expect(try second.next() == .askPasscode(.userFallback))
  }

  @Test func `a second verdict of one scan counts for nothing`() throws {
    let (client, scan) = try scene.login()
    try reader.send(.miss(operation: scan))
    try reader.send(.match(operation: scan, index: 0))
    #expect(try client.next() == .show(.notRecognised, value: 2, detail: ""))
    try reader.send(.match(operation: scan, index: 0))
    let next = try reader.awaitScan()
    try reader.send(.match(operation: scan, index: 0))
    try reader.send(.miss(operation: next))
    #expect(try client.next() == .show(.notRecognised, value: 1, detail: ""))
    // The scan that follows is charged before it begins.
    _ = try reader.awaitScan()
    #expect(scene.strikes == 3)
  }

  @Test func `the match of a scan that was a poor one counts for nothing`() throws {
    let (client, scan) = try scene.login()
    try reader.send(.poorScan(operation: scan, .general))
    #expect(try client.next() == .show(.scanAgain, value: 0, detail: ""))
    let next = try reader.awaitScan()
    try reader.send(.match(operation: scan, index: 0))
    try reader.send(.miss(operation: next))
    #expect(try client.next() == .show(.notRecognised, value: 2, detail: ""))
    _ = try reader.awaitScan()
    #expect(scene.strikes == 2)
  }

  @Test(arguments: [1, 2, 255, .max] as [UInt16])
  func `a match of a finger that was never loaded counts for nothing`(index: UInt16) throws {
    let (client, scan) = try scene.login()
    try reader.send(.match(operation: scan, index: index))
    #expect(try !client.afterShowing().isSuccess)
    #expect(scene.strikes == 1)
  }

  @Test func `a verdict of a reader that was replaced counts for nothing`() throws {
    let (first, scan) = try scene.login()
    reader.crash()
    #expect(try first.afterShowing() == .askPasscode(.readerUnavailable))
    #expect(scene.strikes == 1)
    let second = try scene.daemon.connect()
    try second.authenticate(scene.daemon.user)
    try reader.awaitStart()
    try reader.send(.match(operation: scan, index: 0))
    let next = try reader.awaitScan()
    try second.awaitArmed()
    try reader.send(.match(operation: scan, index: 0))
    try reader.send(.miss(operation: next))
    #expect(try second.next() == .show(.notRecognised, value: 2, detail: ""))
    _ = try reader.awaitScan()
    #expect(scene.strikes == 3)
  }

  @Test func `a match before the reader is open counts for nothing`() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, timeout: 1)
    try reader.awaitStart()
    guard case .open(let operation, _) = try reader.next() else { throw TestKitError("nothing is opened") }
    for number in operation..<operation + 8 { try reader.send(.match(operation: number, index: 0)) }
    #expect(try !client.afterShowing().isSuccess)
  }

  @Test func `a reader that never stops talking keeps nobody from the passcode`() throws {
    try scene.daemon.write("next", "\(scene.daemon.user):\(RunningDaemon.passcode):signet-test\n")
    let next = "auth required \(RunningDaemon.matrix) passdb=\(scene.daemon.folder)/next"
    let answers = [RunningDaemon.passcode, RunningDaemon.passcode]
    let host = try LoginHost(scene.daemon, control: "sufficient", options: "timeout=1", next: [next], answers: answers)
    let scan = try reader.awaitScan()
    let end = PAMHost.microseconds() + 60_000_000
    // Until it is ended for it.
    while PAMHost.microseconds() < end, (try? reader.send(.armed(operation: scan &+ 1_000))) != nil {}
    #expect((try? reader.send(.armed(operation: scan &+ 1_000))) == nil)
    let run = try host.finish()
    #expect(run.code == PAM_SUCCESS, "\(run.texts)")
  }

  @Test func `while locked no scan is asked for, and a match that comes all the same counts for nothing`() throws {
    try scene.lock()
    for number: UInt32 in 0..<64 { try reader.send(.match(operation: number, index: 0)) }
    let locked = try scene.daemon.connect()
    try locked.authenticate(scene.daemon.user)
    #expect(try locked.afterShowing() == .askPasscode(.lockout))
    #expect(try reader.nextScan(within: 200) == nil)
    #expect(scene.strikes == 5)
  }
}
