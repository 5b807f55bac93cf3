import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A cancel is answered at once, however long the reader takes to end; its strike waits for the reader. A scripted reader before
/// the real signetd.
@Suite struct CancelTests {
  private let scene: ReaderScene
  private var reader: ScriptedReader { scene.reader }
  private var daemon: RunningDaemon { scene.daemon }

  init() throws { scene = try ReaderScene() }

  /// A scan that was cancelled, and answered, while the reader is still ending it.
  private func cancelled(_ prelude: ReaderEvent.Kind...) throws -> UInt32 {
    let (client, scan) = try scene.login()
    for kind in prelude { try reader.send(kind == .finger ? .finger(operation: scan) : .fingerOff(operation: scan)) }
    try client.cancel()
    #expect(try client.next().verdict == .userCancel)
    try reader.awaitCancel()
    #expect(scene.strikes == 1)
    return scan
  }

  private func endCleanly(_ scan: UInt32) throws {
    try reader.send(.failed(operation: scan, .cancelled, explanation: ""))
    try reader.send(.idle(operation: scan))
  }

  private func order(_ request: AdministrationRequest) throws {
    let client = try daemon.connect()
    try client.send(request)
    guard try client.nextAdministration() == .done else { throw TestKitError("\(request) is refused") }
  }

  @Test func `six cancels of a reader that is slow to end are answered before it ends, and cost nothing`() throws {
    for _ in 1...6 {
      let (client, scan) = try scene.login()
      try client.cancel()
      #expect(try client.next().verdict == .userCancel)
      // Only now.
      try reader.awaitCancel()
      try endCleanly(scan)
      try daemon.awaitStrikes(0)
    }
  }

  @Test func `whoever is gone in the middle pays nothing either, where no finger was seen`() throws {
    for _ in 1...6 {
      let scan = try { try scene.login().scan }()
      try reader.awaitCancel()
      try endCleanly(scan)
      try daemon.awaitStrikes(0)
    }
  }

  @Test func `a cancel with the finger on the reader keeps the strike, however cleanly it ends, and five lock`() throws {
    for number in 1...5 {
      let (client, scan) = try scene.login()
      try reader.send(.finger(operation: scan))
      try client.cancel()
      #expect(try client.next().verdict == .userCancel)
      try reader.awaitCancel()
      #expect(scene.strikes == number)
      try endCleanly(scan)
    }
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.lockout))
  }

  @Test func `a finger that was lifted before the cancel keeps the strike too`() throws {
    let scan = try cancelled(.finger, .fingerOff)
    try endCleanly(scan)
    _ = try scene.login()
    #expect(scene.strikes == 2)
  }

  @Test func `a finger that comes while the reader ends keeps the strike too`() throws {
    let scan = try cancelled()
    try reader.send(.finger(operation: scan))
    try endCleanly(scan)
    _ = try scene.login()
    #expect(scene.strikes == 2)
  }

  @Test func `a finger of a poor scan before it is charged as a poor scan`() throws {
    let (client, poor) = try scene.login()
    try reader.send(.finger(operation: poor))
    try reader.send(.poorScan(operation: poor, .general))
    #expect(try client.next() == .show(.scanAgain, value: 0, detail: ""))
    try reader.send(.fingerOff(operation: poor))
    let scan = try reader.awaitScan()
    try client.cancel()
    #expect(try client.next().verdict == .userCancel)
    try reader.awaitCancel()
    try endCleanly(scan)
    try daemon.awaitStrikes(0)
  }

  @Test func `meanwhile the reader is nobody else's, and the passcode is asked for`() throws {
    let scan = try cancelled()
    let next = try daemon.connect()
    try next.authenticate(daemon.user)
    #expect(try next.next() == .show(.readerBusy, value: 0, detail: "another program"))
    #expect(try next.next() == .askPasscode(.readerUnavailable))
    try endCleanly(scan)
    try daemon.awaitStrikes(0)
    _ = try scene.login()
  }

  @Test func `a match that comes while the reader ends serves nobody, and the strike stays`() throws {
    let scan = try cancelled()
    try reader.send(.match(operation: scan, index: 0))
    let (next, _) = try scene.login()
    #expect(scene.strikes == 2)
    try next.cancel()
    #expect(try next.next().verdict == .userCancel)
  }

  @Test func `a reader that never ends is replaced after ten seconds, and the strike stays`() throws {
    _ = try cancelled()
    #expect(try reader.next() == nil)
    _ = try scene.login()
    #expect(scene.strikes == 2)
  }

  @Test func `a reader that judged nothing and does not end is replaced, and who has come meanwhile is asked for a finger`()
    throws
  {
    let scan = try cancelled()
    try reader.send(.failed(operation: scan, .cancelled, explanation: ""))
    try daemon.awaitStrikes(0)
    let next = try daemon.connect()
    try next.authenticate(daemon.user)
    while try reader.next() != nil {}
    try reader.awaitScan()
    try next.awaitArmed()
    #expect(scene.strikes == 1)
  }

  @Test func `where the reader tells of no finger every third cancel is a strike, and fifteen lock`() throws {
    for number in 1...15 {
      let (client, scan) = try scene.login()
      try client.cancel()
      #expect(try client.next().verdict == .userCancel)
      try reader.awaitCancel()
      try reader.send(.failed(operation: scan, .cancelledUnseen, explanation: ""))
      try reader.send(.idle(operation: scan))
      try daemon.awaitStrikes(number / 3)
    }
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.lockout))
  }

  @Test func `a finger that comes after the reader has said that it judged nothing is no look, and costs nothing`() throws {
    let scan = try cancelled()
    try reader.send(.failed(operation: scan, .cancelled, explanation: ""))
    try daemon.awaitStrikes(0)
    try reader.send(.finger(operation: scan))
    try reader.send(.match(operation: scan, index: 0))
    let (next, _) = try scene.login()
    #expect(scene.strikes == 1)
    try next.cancel()
    #expect(try next.next().verdict == .userCancel)
  }

  @Test(arguments: [1, 20] as [UInt16])
  func `a reader that opens and is never ready for a finger costs nothing, and nobody was too slow`(timeout: UInt16) throws {
    let client = try daemon.connect()
    try client.authenticate(daemon.user, timeout: timeout)
    try reader.awaitStart()
    let scan = try reader.awaitCancel()
    #expect(try client.next() == .show(.readerUnavailable, value: 0, detail: ""))
    #expect(try client.next() == .askPasscode(.readerUnavailable))
    try endCleanly(scan)
    try daemon.awaitStrikes(0)
    // It gets no second chance in the state in which it is.
    while try reader.next() != nil {}
  }

  @Test func `the right passcode meanwhile clears the strikes, and the reader's end leaves none`() throws {
    let (client, scan) = try scene.login()
    try client.fallback()
    #expect(try client.next() == .askPasscode(.userFallback))
    try reader.awaitCancel()
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess)
    #expect(scene.strikes == 1)
    try endCleanly(scan)
    try daemon.awaitStrikes(0)
  }

  @Test func `signet lock meanwhile stays, and the strike is given back`() throws {
    let scan = try cancelled()
    try order(.lock(user: ""))
    try endCleanly(scan)
    try daemon.awaitStrikes(0)
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    #expect(try client.next() == .show(.locked, value: LockReason.requested.rawValue, detail: ""))
  }

  @Test func `signetd killed meanwhile keeps the strike`() throws {
    let scan = try cancelled()
    try scene.scene.restart(SIGKILL)
    try? endCleanly(scan)
    #expect(scene.strikes == 1)
  }

  @Test func `signetd that is stopped waits for the reader, and gives the strike back`() throws {
    let scan = try cancelled()
    kill(daemon.pid, SIGTERM)
    #expect(!ends(daemon.pid, within: 300))
    try endCleanly(scan)
    #expect(ends(daemon.pid))
    #expect(scene.strikes == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: nobody else may say that the machine sleeps"))
  func `a suspend meanwhile ends the reader, and the strike stays`() throws {
    _ = try cancelled()
    // The reader says nothing more: the suspend is answered all the same.
    try order(.suspend)
    #expect(try reader.next() == nil)
    #expect(scene.strikes == 1)
    try order(.resume)
    _ = try scene.login()
    #expect(scene.strikes == 2)
  }
}
