import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// BrutePrint's two ways around a limit: an attempt that is cancelled, or ends in an error, after the reader has found
/// that the finger does not match (Cancel-After-Match-Fail), and a finger that is matched although the lock is on
/// (Match-After-Lock).
@Suite struct BrutePrintTests {
  @Test func `a miss that a cancel overtakes is a strike, and five of them lock`() throws {
    let scene = try ReaderScene()
    for number in 1...5 {
      let (client, scan) = try scene.login()
      try client.cancel()
      try scene.reader.awaitCancel()
      try scene.reader.send(.miss(operation: scan))
      #expect(try client.next().verdict == .userCancel)
      #expect(scene.strikes == number)
    }
    try expectLocked(scene)
  }

  @Test func `a miss of a requester that is gone is a strike, and five of them lock`() throws {
    let scene = try ReaderScene()
    for number in 1...5 {
      let scan = try { try scene.login().scan }()
      // The client is gone with the closure's end; signetd notices by itself.
      try scene.reader.awaitCancel()
      try scene.reader.send(.miss(operation: scan))
      while case .some(let command) = try scene.reader.next() { if case .close = command { break } }
      #expect(scene.strikes == number)
    }
    try expectLocked(scene)
  }

  static let failures: [ReaderFailure] = [
    .removed, .storageFull, .duplicate, .cancelled, .other, .notFound, .busy, .unsupported, .unusableTemplate, .notOpen,
  ]

  @Test(arguments: failures)
  func `an error in the place of a verdict is a strike, and five of them lock`(failure: ReaderFailure) throws {
    let scene = try ReaderScene()
    for number in 1...5 {
      let (client, scan) = try scene.login()
      try scene.reader.send(.failed(operation: scan, failure, explanation: "checksum"))
      #expect(try client.afterShowing() == .askPasscode(.readerUnavailable))
      #expect(scene.strikes == number)
    }
    try expectLocked(scene)
  }

  @Test func `a reader that dies in the place of a verdict is a strike, and five of them lock`() throws {
    let scene = try ReaderScene()
    for number in 1...5 {
      let (client, _) = try scene.login()
      scene.reader.crash()
      #expect(try client.afterShowing() == .askPasscode(.readerUnavailable))
      #expect(scene.strikes == number)
    }
    try expectLocked(scene)
  }

  @Test func `Ctrl-C after each miss buys no sixth look, through the module and whatever the service`() throws {
    let scene = try Scene()
    var looks = 0
    for number in 1...10 {
      let host = try LoginHost(scene.daemon, service: "service-\(number)", answers: [""], "--sigint", "ignore")
      let first = try host.nextMessage()
      if first?.isFirstPrompt == true {
        try scene.reader.scan("wrong")
        looks += 1
        _ = try host.nextMessage()
        kill(host.pid, SIGINT)
      }
      #expect(try host.finish().code != PAM_SUCCESS)
    }
    // A reader that is slow to say that no finger came after the miss costs one more.
    #expect((3...5).contains(looks))
    #expect(scene.daemon.strikesOnDisk == 5)
    let run = try LoginHost(scene.daemon, answers: [""]).finish(presenting: ["right"], on: scene.reader)
    #expect(run.code != PAM_SUCCESS)
    #expect(run.texts.allSatisfy { !$0.isFirstPrompt })
  }

  @Test func `poor scans buy no look without end: the tenth of an evaluation is a strike`() throws {
    let scene = try ReaderScene()
    for number in 1...5 {
      var (client, scan) = try scene.login()
      for poor in 1...10 {
        try scene.reader.send(.poorScan(operation: scan, .general))
        if poor < 10 { scan = try scene.reader.awaitScan() }
      }
      #expect(try client.afterShowing() == .askPasscode(.misses))
      #expect(scene.strikes == number)
    }
    try expectLocked(scene)
  }

  @Test func `poor scans that end in a cancel each time buy no look without end`() throws {
    let scene = try ReaderScene()
    var looks = 0
    for _ in 1...20 {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      guard var scan = try scene.reader.nextScan(within: 500) else { break }
      try client.awaitArmed()
      for _ in 1...8 {
        try scene.reader.send(.poorScan(operation: scan, .general))
        looks += 1
        guard let next = try scene.reader.nextScan(within: 500) else { break }
        scan = next
      }
      try client.cancel()
      guard try scene.reader.isCancelled(within: 500) else { continue }
      try scene.reader.send(.failed(operation: scan, .cancelled, explanation: ""))
      _ = try client.verdict()
    }
    // Five evaluations' worth of them.
    #expect(looks <= 50)
  }

  private func expectLocked(_ scene: ReaderScene) throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.next() == .show(.locked, value: LockReason.strikes.rawValue, detail: ""))
    #expect(try client.next() == .askPasscode(.lockout))
    #expect(try scene.reader.nextScan(within: 100) == nil)
  }
}
