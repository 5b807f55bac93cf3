import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A reader that a program has which is no part of Signet.
@Suite struct HeldReaderTests {
  private let scene: Scene
  private let reader: ScriptedReader

  init() throws {
    scene = try Scene()
    reader = try ScriptedReader(scene)
  }

  @Test func `the passcode is asked for at once, nothing is charged, and the log says that another program has it`() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try reader.awaitStart()
    guard case .open(let operation, _) = try reader.next() else { throw TestKitError("the reader is not opened") }
    try reader.send(.failed(operation: operation, .heldByOther, explanation: "Resource busy [-6]"))
    // No node of this machine is marked as a reader, so that nobody is named.
    #expect(try client.next() == .show(.readerUnavailable, value: 3, detail: ""))
    #expect(try client.next() == .askPasscode(.readerUnavailable))
    #expect(scene.daemon.strikesOnDisk == 0)
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess)
    try scene.daemon.awaitLog("another program holds the reader")
  }

  @Test func `status is told so of the reader that signet-reader says it of`() throws {
    var held = description
    held.obstacle = .heldByOther
    let client = try scene.daemon.connect()
    try client.send(.readers)
    try reader.list(reader.awaitListing(), held, description)
    #expect(try client.nextAdministration() == .reader(held))
    #expect(try client.nextAdministration() == .reader(description))
  }

  private var description: ReaderDescription {
    ReaderDescription(
      identifier: scene.reader.identifier, name: "Reader", driver: "test", isSwipe: false, canIdentify: true, hasStorage: false,
      enrollStages: 5)
  }
}
