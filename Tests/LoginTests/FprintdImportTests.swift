import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// `signet import fprintd`, with a real signetd and signet-reader, and prints in libfprint's own form where fprintd would have them.
@Suite struct FprintdImportTests {
  private let fprintd: FprintdFolder

  init() throws { fprintd = try FprintdFolder() }

  private func scene(_ kind: VirtualReader.Kind = .device, enrolls: Bool = false, configuration: String = "") throws -> Scene {
    try Scene(kind, enrolls: enrolls, configuration: configuration, options: ["--fprintd-dir", fprintd.path])
  }

  /// Has the user's finger enrolled with fprintd.
  @discardableResult
  private func enroll(
    _ scan: String, _ finger: Finger, with scene: Scene, of user: String? = nil
  ) throws -> [UInt8] {
    let user = user ?? scene.daemon.user
    let print = try FprintdPrint.make(scan, finger, of: user, on: scene.reader)
    try fprintd.put(print, as: finger, of: scene.daemon.user, on: scene.reader.identifier)
    return print
  }

  /// Everything that signetd answers; root is asked for no passcode.
  private func takeOver(_ scene: Scene, user: String = "") throws -> [AdministrationReply] {
    let client = try scene.daemon.connect()
    try client.send(.importFprintd(user: user))
    var replies: [AdministrationReply] = []
    while true {
      let reply = try client.nextAdministration()
      switch reply {
      case .askPasscode: try client.answer(passcode: RunningDaemon.passcode)
      case .done, .refused: return replies + [reply]
      default: replies.append(reply)
      }
    }
  }

  private func row(_ finger: Finger?, _ outcome: ImportOutcome, _ scene: Scene) -> AdministrationReply {
    .imported(ImportRow(finger: finger, reader: scene.reader.identifier, outcome: outcome))
  }

  private func fingers(_ scene: Scene) throws -> [FingerRow] {
    let client = try scene.daemon.connect()
    try client.send(.list(user: ""))
    var rows: [FingerRow] = []
    while case .finger(let row) = try client.nextAdministration() { rows.append(row) }
    return rows
  }

  private func events(_ scene: Scene) throws -> [Event] {
    let client = try scene.daemon.connect()
    try client.send(.history(user: "", limit: 100))
    var events: [Event] = []
    while case .event(let row) = try client.nextAdministration() { events.append(row.event) }
    return events
  }

  private func logsIn(_ scan: String, _ scene: Scene) throws -> Bool {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    if scene.reader.kind == .storage, try !scene.reader.stored().contains(scan) { try scene.reader.insert(scan) }
    try FprintdPrint.touch(scan, scene.reader, 7)
    return try client.next().isSuccess
  }

  // MARK: what is taken

  @Test(arguments: [VirtualReader.Kind.device, .storage, .image])
  func `a finger of fprintd's logs in, once it is taken over, and what fprintd has is untouched`(
    kind: VirtualReader.Kind
  ) throws {
    let scene = try scene(kind)
    try enroll("17", .leftRingFinger, with: scene)
    let before = try fprintd.everything()
    #expect(try takeOver(scene) == [row(.leftRingFinger, .taken, scene), .done])
    #expect(try fprintd.everything() == before)
    #expect(try fingers(scene).map(\.finger) == [.leftRingFinger])
    #expect(try fingers(scene).map(\.reader) == [scene.reader.identifier])
    #expect(try logsIn("17", scene))
    #expect(try !logsIn("18", scene))
    #expect(try events(scene).contains(.imported(.leftRingFinger)))
    // As any template on disk it is sealed, and of the one in fprintd's folder nothing is in it.
    #expect(try !RawFile.read(scene.templateFile).contains("FP3".utf8))
  }

  @Test func `of two fingers each is taken, and each logs in`() throws {
    let scene = try scene(.storage)
    try enroll("left", .leftThumb, with: scene)
    try enroll("right", .rightThumb, with: scene)
    #expect(try takeOver(scene) == [row(.leftThumb, .taken, scene), row(.rightThumb, .taken, scene), .done])
    #expect(try logsIn("left", scene) && logsIn("right", scene))
  }

  @Test func `a second time nothing is taken twice`() throws {
    let scene = try scene()
    try enroll("thumb", .leftThumb, with: scene)
    _ = try takeOver(scene)
    let (before, history) = (try RawFile.read(scene.templateFile), try events(scene))
    #expect(try takeOver(scene) == [row(.leftThumb, .enrolledAlready, scene), .done])
    #expect(try RawFile.read(scene.templateFile) == before)
    #expect(try events(scene) == history)
  }

  @Test func `a finger that Signet has enrolled is not overwritten`() throws {
    let scene = try scene()
    try enroll("of fprintd", .rightIndexFinger, with: scene)
    try scene.daemon.enroll(.rightIndexFinger, as: "of Signet", on: scene.reader)
    #expect(try takeOver(scene) == [row(.rightIndexFinger, .enrolledAlready, scene), .done])
    #expect(try logsIn("of Signet", scene))
    #expect(try !logsIn("of fprintd", scene))
  }

  @Test func `what the vault keeps for the fingers of before is gone`() throws {
    let scene = try scene(enrolls: true)
    try enroll("thumb", .leftThumb, with: scene)
    _ = try scene.loginByPasscode(until: "vault made")
    let item = Item(ItemName(service: "mail", account: ""), accessControl: AccessControl(.biometryCurrentSet))
    #expect(try scene.ask(.add(user: "", item, length: 3), value: Array("old".utf8)).end == .done)
    let watch = try scene.daemon.connect()
    try watch.watch()
    let state = try watch.nextState().domainState
    #expect(try takeOver(scene) == [row(.leftThumb, .taken, scene), .done])
    #expect(try watch.nextState().domainState != state)
    let read = try scene.ask(.read(user: "", item.name), Proving(touch: scene.touch()))
    #expect(read.end == .refused(.fingersChanged) && read.value == nil)
  }

  @Test func `on a full reader the prints that were taken over are kept, and what nobody owns goes`() throws {
    let scene = try scene(.storage, enrolls: true)
    try enroll("taken", .leftThumb, with: scene)
    _ = try takeOver(scene)
    var touches = 0
    let replies = try scene.enroll(.rightThumb, as: "new") { reply in
      if case .show(.touchReader, _, _) = reply {
        touches += 1
        if touches == 1 { for name in ["taken", "nobody's"] { try scene.reader.insert(name) } }
      }
      guard reply == .enrollStage(completed: 0, of: 5, retry: nil), touches == 1 else { return false }
      // FP_DEVICE_ERROR_DATA_FULL
      try scene.reader.fail(8)
      return true
    }
    #expect(replies.last == .done, "\(replies)")
    try scene.daemon.awaitLog("prints without an owner removed")
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    let stored = try scene.reader.stored()
    #expect(stored.contains("taken") && stored.contains("new") && !stored.contains("nobody's"), "\(stored)")
    try scene.reader.scan("taken")
    #expect(try client.next().isSuccess)
  }

  // MARK: what is not

  @Test func `a print that was made for another user is named, and opens nothing`() throws {
    let scene = try scene()
    try enroll("bob's", .leftThumb, with: scene, of: "bob")
    let nameless = try FprintdPrint.make("whose", .rightThumb, of: nil, on: scene.reader)
    try fprintd.put(nameless, as: .rightThumb, of: scene.daemon.user, on: scene.reader.identifier)
    #expect(
      try takeOver(scene) == [row(.leftThumb, .otherUser("bob"), scene), row(.rightThumb, .otherUser(""), scene), .done])
    #expect(try fingers(scene).isEmpty)
    try scene.daemon.awaitLog("not taken over from fprintd: otherUser")
  }

  @Test func `a print in the place of another finger or reader is named`() throws {
    let scene = try scene()
    let print = try enroll("thumb", .leftThumb, with: scene)
    try fprintd.put(print, as: .rightThumb, of: scene.daemon.user, on: scene.reader.identifier)
    try fprintd.put(print, as: .leftThumb, of: scene.daemon.user, on: "other:0")
    let replies = try takeOver(scene)
    #expect(replies.contains(row(.leftThumb, .taken, scene)) && replies.contains(row(.rightThumb, .misplaced, scene)))
    #expect(replies.contains(.imported(ImportRow(finger: .leftThumb, reader: "other:0", outcome: .misplaced))))
    #expect(try fingers(scene).map(\.finger) == [.leftThumb])
  }

  @Test func `a print whose reader is not there is named, and taken once it is`() throws {
    let (scene, other) = (try scene(), try VirtualReader(.storage))
    let user = scene.daemon.user
    let print = try FprintdPrint.make("thumb", .leftThumb, of: user, on: other)
    try fprintd.put(print, as: .leftThumb, of: user, on: other.identifier)
    let missing = ImportRow(finger: .leftThumb, reader: other.identifier, outcome: .readerMissing)
    #expect(try takeOver(scene) == [.imported(missing), .done])
    #expect(try fingers(scene).isEmpty)
    let connected = try self.scene(configuration: other.configuration)
    #expect(
      try takeOver(connected) == [.imported(ImportRow(finger: .leftThumb, reader: other.identifier, outcome: .taken)), .done])
  }

  @Test func `what is no print, torn or a link is named, and the others are taken`() throws {
    let scene = try scene()
    let user = scene.daemon.user
    let print = try enroll("index", .rightIndexFinger, with: scene)
    let reader = scene.reader.identifier
    try fprintd.put(Array(print.dropLast(5)), as: .leftThumb, of: user, on: reader)
    try fprintd.put(Array("no print".utf8), as: .leftIndexFinger, of: user, on: reader)
    #expect(symlink(fprintd.file(.rightIndexFinger, of: user, on: reader), fprintd.file(.rightThumb, of: user, on: reader)) == 0)
    let before = try fprintd.everything()
    let rows = try takeOver(scene).compactMap { if case .imported(let row) = $0 { row } else { nil } }
    #expect(rows.map(\.finger) == [.leftThumb, .leftIndexFinger, .rightThumb, .rightIndexFinger])
    for row in rows[..<2] {
      guard case .unusable(let words) = row.outcome else {
        Issue.record("\(row)")
        continue
      }
      #expect(words.contains("no valid form"))
    }
    let link = fprintd.file(.rightThumb, of: user, on: reader)
    #expect(rows[2].outcome == .unreadable(.call(.open, link, code: ELOOP)))
    #expect(rows[3].outcome == .taken)
    #expect(try logsIn("index", scene))
    #expect(try fprintd.everything() == before)
  }

  @Test func `a signet-reader that ends over a print leaves everything as it was`() throws {
    let scene = try scene()
    try enroll("thumb", .leftThumb, with: scene)
    // Answers the listing as signet-reader would not.
    try scene.replace("signet-reader", by: "exit 1")
    let replies = try takeOver(scene)
    guard case .refused(let refusal) = replies.last else {
      Issue.record("\(replies)")
      return
    }
    #expect(replies.count == 1 && [.readerUnavailable, .readerEnded].contains(refusal), "\(refusal)")
    #expect(try fingers(scene).isEmpty)
  }

  @Test func `while somebody's finger is waited for nothing is taken`() throws {
    let scene = try scene(enrolls: true)
    try fprintd.put([1], as: .leftThumb, of: scene.daemon.user, on: scene.reader.identifier)
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    guard case .refused(.readerBusy) = try takeOver(scene).last else {
      Issue.record("not busy")
      return
    }
    try scene.reader.scan("right")
    #expect(try client.next().isSuccess)
  }

  @Test func `where fprintd has nothing it is over at once, and what cannot be read is named`() throws {
    let scene = try scene()
    #expect(try takeOver(scene) == [.done])
    fprintd.makeFolders(of: scene.daemon.user, on: scene.reader.identifier)
    #expect(try takeOver(scene) == [.done])
    let device = fprintd.deviceFolder(of: scene.daemon.user, on: scene.reader.identifier)
    chmod(device, 0o777)
    #expect(try takeOver(scene) == [row(nil, .unreadable(.writableByOthers(device)), scene), .done])
  }
}

/// Who may: the owner with the passcode, and root.
@Suite(.enabled(if: geteuid() == 0, "needs root, to become another user"))
struct FprintdImportOwnerTests {
  private static let nobody: UInt32 = 65534
  private let fprintd: FprintdFolder
  private let scene: Scene

  init() throws {
    fprintd = try FprintdFolder()
    scene = try Scene(enrolls: false, options: ["--fprintd-dir", fprintd.path])
    try scene.daemon.write("passcodes", "nobody:nobody's horse:signet-passcode\n")
    // Its socket is for everybody; the test's folder was not.
    chmod(scene.daemon.folder, 0o711)
  }

  private func haveFinger() throws {
    let print = try FprintdPrint.make("thumb", .leftThumb, of: "nobody", on: scene.reader)
    try fprintd.put(print, as: .leftThumb, of: "nobody", on: scene.reader.identifier)
  }

  private func asNobody(_ request: String, _ word: String = "", passcode: String? = nil) throws -> [String] {
    let run = try HostRun.run(
      ["administer", scene.daemon.socket, "\(Self.nobody)", request, word], answers: passcode.map { [$0] } ?? [])
    #expect(run.step("broken") == nil, "\(run.step("broken")?.text ?? "")")
    return run.steps.compactMap(\.text)
  }

  @Test func `the owner is asked for the passcode first, and without it nothing is taken`() throws {
    try haveFinger()
    for passcode in ["wrong", nil] {
      let replies = try asNobody("import", passcode: passcode)
      #expect(replies.first == "askPasscode(SignetVocabulary.PasscodeReason.administration)")
      #expect(replies.last?.contains(passcode == nil ? "Refusal.cancelled" : "Refusal.passcodeFailed") == true, "\(replies)")
      #expect(replies.count == 2)
    }
    #expect(try asNobody("list") == ["done"])
    let replies = try asNobody("import", passcode: "nobody's horse")
    #expect(replies.count == 3 && replies[1].contains("taken") && replies[2] == "done", "\(replies)")
    #expect(try asNobody("list").first?.contains("leftThumb") == true)
  }

  @Test func `where fprintd has nothing of theirs nobody is asked`() throws {
    #expect(try asNobody("import") == ["done"])
  }

  @Test func `nobody takes over another's`() throws {
    try haveFinger()
    #expect(try asNobody("import", "root", passcode: "nobody's horse").last?.contains("Refusal.otherUser") == true)
  }

  @Test func `root takes over for anybody, unasked`() throws {
    try haveFinger()
    let client = try scene.daemon.connect()
    try client.send(.importFprintd(user: "nobody"))
    let row = ImportRow(finger: .leftThumb, reader: scene.reader.identifier, outcome: .taken)
    #expect(try client.nextAdministration() == .imported(row))
    #expect(try client.nextAdministration() == .done)
  }

  @Test func `while fingerprints are locked the owner's passcode unlocks them, and root changes nothing about it`() throws {
    try haveFinger()
    try scene.enroll(.rightThumb, as: "other", user: "nobody")
    #expect(try asRoot(.lock(user: "nobody")) == [.done])
    #expect(try lock() == .requested)
    #expect(try asRoot(.importFprintd(user: "nobody")).count == 2)
    #expect(try lock() == .requested)
    let replies = try asNobody("import", passcode: "nobody's horse")
    #expect(replies.count == 3 && replies[1].contains("enrolledAlready"), "\(replies)")
    #expect(try lock() == .none)
  }

  private func asRoot(_ request: AdministrationRequest) throws -> [AdministrationReply] {
    let client = try scene.daemon.connect()
    try client.send(request)
    var replies: [AdministrationReply] = []
    while true {
      replies.append(try client.nextAdministration())
      switch replies.last {
      case .done, .refused: return replies
      default: continue
      }
    }
  }

  private func lock() throws -> LockReason {
    guard case .status(let row) = try asRoot(.status(user: "nobody"))[0] else { throw TestKitError("no status") }
    return row.lock
  }

  @Test func `after five wrong passcodes none is looked at, and nothing taken`() throws {
    try haveFinger()
    for _ in 1...5 { _ = try asNobody("import", passcode: "wrong") }
    let replies = try asNobody("import", passcode: "nobody's horse")
    #expect(replies.last?.contains("Refusal.passcodeDelayed") == true, "\(replies)")
    #expect(try asNobody("list") == ["done"])
  }
}
