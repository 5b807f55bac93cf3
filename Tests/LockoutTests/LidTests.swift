import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A closed lid, and readers that say whether it covers them.
@Suite struct LidTests {
  private let lid = try! TemporaryFolder()
  private let scene: Scene
  private let reader: ScriptedReader

  init() throws {
    mkdir(lid.path + "/LID", 0o755)
    try RawFile.create(lid.path + "/LID/state", Array("state:      closed\n".utf8))
    scene = try Scene(options: ["--lid-dir", lid.path])
    reader = try ScriptedReader(scene)
  }

  private func description(_ identifier: String, isBuiltIn: Bool) -> ReaderDescription {
    var reader = ReaderDescription(
      identifier: identifier, name: "Reader", driver: "test", isSwipe: false, canIdentify: true, hasStorage: false,
      enrollStages: 5)
    reader.isBuiltIn = isBuiltIn
    return reader
  }

  private func login() throws -> LoginClient {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    return client
  }

  private var own: String { scene.reader.identifier }

  @Test func `under a closed lid the built-in reader is not opened, and the passcode is asked at once`() throws {
    let client = try login()
    try reader.list(reader.awaitListing(), description(own, isBuiltIn: true))
    #expect(try client.next() == .show(.readerUnavailable, value: 2, detail: ""))
    #expect(try client.next() == .askPasscode(.readerUnavailable))
    #expect(try reader.next(within: 0) == nil)
    #expect(scene.daemon.strikesOnDisk == 0)
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess)
  }

  @Test func `a reader that is plugged in goes on working beside it`() throws {
    let client = try login()
    try reader.list(reader.awaitListing(), description("other:0", isBuiltIn: true), description(own, isBuiltIn: false))
    try reader.send(.match(operation: reader.awaitScan(), index: 0))
    #expect(try client.afterShowing().isSuccess)
  }

  @Test func `who lists the readers is told which ones the lid covers, whatever signet-reader says of it`() throws {
    var (covered, free) = (description("one:0", isBuiltIn: true), description("two:0", isBuiltIn: false))
    (covered.obstacle, free.obstacle) = (.heldByOther, .lidClosed)
    let client = try scene.daemon.connect()
    try client.send(.readers)
    try reader.list(reader.awaitListing(), covered, free)
    let told = try [client.nextAdministration(), client.nextAdministration()]
    covered.isBuiltIn = false
    (covered.obstacle, free.obstacle) = (.lidClosed, .none)
    #expect(told == [.reader(covered), .reader(free)])
  }

  @Test func `where none of the readers is the user's the lid is not to blame`() throws {
    let client = try login()
    try reader.list(reader.awaitListing(), description("other:0", isBuiltIn: true))
    guard case .open(let operation, own) = try reader.next() else { throw TestKitError("the reader is not opened") }
    try reader.send(.failed(operation: operation, .notFound, explanation: "no such reader"))
    #expect(try client.next() == .show(.readerUnavailable, value: 0, detail: ""))
  }

  @Test func `nobody waits for the passcode until a slow reader is known`() throws {
    let client = try login()
    _ = try reader.awaitListing()
    try client.fallback()
    #expect(try client.next() == .askPasscode(.userFallback))
  }

  @Test func `an open lid costs no look at the readers`() throws {
    try RawFile.overwrite(lid.path + "/LID/state", Array("state:      open\n".utf8))
    let client = try login()
    try reader.awaitStart()
    guard case .open = try reader.next() else { throw TestKitError("the reader is not opened first") }
    try client.cancel()
  }
}
