import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Three fingers on libfprint's plain virtual reader, which compares a scan with one template.
@Suite struct NamedFingerTests {
  private let scene: Scene
  private let fprintd: FprintdFolder

  init() throws {
    fprintd = try FprintdFolder()
    scene = try Scene(options: ["--fprintd-dir", fprintd.path])
    try scene.daemon.enroll(.rightMiddleFinger, as: "middle", on: scene.reader)
    try scene.daemon.enroll(.rightRingFinger, as: "ring", on: scene.reader)
  }

  private func asks(for finger: Finger) -> LoginClient.Reply {
    .show(.touchReader, value: TouchForm.swipe | TouchForm.naming(finger.rawValue), detail: "")
  }

  /// A login that asks for this finger first.
  private func login(_ first: Finger, _ question: QuestionForm = .beside) throws -> LoginClient {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, question: question)
    #expect(try client.next() == asks(for: first))
    return client
  }

  private func matches(_ scan: String, _ client: LoginClient) throws {
    try scene.reader.scan(scan)
    #expect(try client.next().isSuccess)
    try scene.daemon.awaitStrikes(0)
  }

  /// The record of the last match is written when the user is let in already.
  private func awaitRecord() throws {
    let expected = try first().map(\.rawValue)
    try wait(for: "the last match to be on disk") {
      // Behind what a record is and whose.
      guard let bytes = try? RawFile.read(scene.folder + "/matched"), bytes.count > 9 else { return false }
      return [bytes[9]] == expected
    }
  }

  private func misses(_ scan: String, left: UInt8 = 2, _ client: LoginClient) throws {
    try scene.reader.scan(scan)
    #expect(try client.next() == .show(.notRecognised, value: left, detail: ""))
  }

  @Test func `each matches when it is named, and the one that matched last is named first`() throws {
    try matches("right", login(.rightIndexFinger))
    let second = try login(.rightIndexFinger)
    try misses("wrong", second)
    #expect(try second.next() == asks(for: .rightMiddleFinger))
    try matches("middle", second)
    let third = try login(.rightMiddleFinger)
    try misses("wrong", third)
    #expect(try third.next() == asks(for: .rightRingFinger))
    try matches("ring", third)
    try awaitRecord()
    try scene.restart()
    try matches("ring", login(.rightRingFinger))
  }

  @Test func `after the last comes the first`() throws {
    let client = try login(.rightIndexFinger)
    try misses("wrong", client)
    #expect(try client.next() == asks(for: .rightMiddleFinger))
    try misses("wrong", left: 1, client)
    #expect(try client.next() == asks(for: .rightRingFinger))
    try matches("ring", client)
    let next = try login(.rightRingFinger)
    try misses("wrong", next)
    #expect(try next.next() == asks(for: .rightIndexFinger))
    try matches("right", next)
  }

  @Test func `an enrolled finger that is not the named one is a miss, and a strike`() throws {
    let client = try login(.rightIndexFinger)
    try misses("ring", client)
    #expect(try client.next() == asks(for: .rightMiddleFinger))
    try client.cancel()
    #expect(try client.verdict().verdict == .userCancel)
    try scene.daemon.awaitStrikes(1)
  }

  @Test func `a poor scan asks for the same finger again`() throws {
    let client = try login(.rightIndexFinger)
    try scene.reader.poorScan(1)
    #expect(try client.next() == .show(.scanAgain, value: ScanRetry.tooShort.rawValue, detail: ""))
    try matches("right", client)
  }

  @Test func `a finger that is enrolled or taken over later leaves the one that works where it was`() throws {
    try matches("right", login(.rightIndexFinger))
    let print = try FprintdPrint.make("thumb", .leftThumb, of: scene.daemon.user, on: scene.reader)
    try fprintd.put(print, as: .leftThumb, of: scene.daemon.user, on: scene.reader.identifier)
    let client = try scene.daemon.connect()
    try client.send(.importFprintd(user: ""))
    while case let reply = try client.nextAdministration(), reply != .done {
      if case .askPasscode = reply { try client.answer(passcode: RunningDaemon.passcode) }
    }
    #expect(try first() == [.rightIndexFinger])
    try matches("right", login(.rightIndexFinger))
    try scene.daemon.enroll(.leftIndexFinger, as: "left", on: scene.reader)
    try matches("right", login(.rightIndexFinger))
  }

  @Test func `a damaged record of the last match costs nothing but the order`() throws {
    let client = try login(.rightIndexFinger)
    try misses("wrong", client)
    #expect(try client.next() == asks(for: .rightMiddleFinger))
    try matches("middle", client)
    #expect(try first() == [.rightMiddleFinger])
    try awaitRecord()
    try scene.restart()
    #expect(try first() == [.rightMiddleFinger])
    try RawFile.overwrite(scene.folder + "/matched", [1, 2, 3])
    #expect(try first() == [.rightIndexFinger])
    try matches("right", login(.rightIndexFinger))
  }

  /// Which fingers are listed as the first.
  private func first() throws -> [Finger] {
    let client = try scene.daemon.connect()
    try client.send(.list(user: ""))
    var fingers: [Finger] = []
    while case .finger(let row) = try client.nextAdministration() { if row.isFirst { fingers.append(row.finger) } }
    return fingers
  }

  @Test func `a question that stands keeps its finger, and the next question goes on`() throws {
    let client = try login(.rightIndexFinger, .standing)
    try misses("middle", client)
    try misses("middle", left: 1, client)
    try matches("right", client)
    let missed = try login(.rightIndexFinger, .standing)
    try misses("wrong", missed)
    try missed.cancel()
    #expect(try missed.verdict().verdict == .userCancel)
    try scene.daemon.awaitStrikes(1)
    try matches("middle", login(.rightMiddleFinger, .standing))
  }

  @Test func `a reader that identifies names none`() throws {
    let scene = try Scene(.storage)
    try scene.daemon.enroll(.rightMiddleFinger, as: "middle", on: scene.reader)
    for scan in ["middle", "right"] {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      guard case .show(.touchReader, let value, _) = try client.next() else { throw TestKitError("no finger is asked for") }
      #expect(TouchForm.finger(in: value) == 0)
      try scene.reader.scan(scan)
      #expect(try client.next().isSuccess)
    }
  }
}
