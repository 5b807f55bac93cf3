import Glibc
import SignetBytes
import SignetFiles
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

@testable import DaemonService
@testable import DaemonAccounts
@testable import SignetDaemon

/// Templates on disk: what opens them, and what the user is told where they cannot be opened.
@Suite struct SealedTemplateTests {
  private let folder: TemporaryFolder
  private static let content = Array("the minutiae of a finger, which nobody is to find on the disk".utf8)
  private var state: String { folder.path + "/state" }
  private var key: String { state + "/device.key" }

  init() throws { folder = try TemporaryFolder() }

  /// A signetd that starts now.
  private func start() throws -> AccountStore { try AccountStore(path: state, runtimePath: folder.path + "/run") }

  private func finger(_ finger: Finger = .leftThumb, of uid: UInt32 = 1000, on reader: String = "driver:0") -> EnrolledFinger {
    EnrolledFinger(uid: uid, owner: "alice", finger: finger, reader: reader, isSwipe: true, enrolled: 1_700_000_000)
  }

  @discardableResult
  private func enroll(_ finger: EnrolledFinger, in store: borrowing AccountStore) throws -> EnrolledFinger {
    var finger = finger
    try store.seal(ClearTemplate(SealedTemplateTests.content), in: &finger)
    try store.write(finger)
    return finger
  }

  private func path(of finger: EnrolledFinger) -> String {
    "\(state)/users/\(finger.uid)/\(AccountStore.fileName(finger))"
  }

  /// What `signet list` shows and says.
  private func listed(_ store: borrowing AccountStore, uid: UInt32 = 1000) throws -> AccountStore.Fingers {
    store.openable(try store.fingers(of: uid, named: nil))
  }

  /// Expects that nothing of the user's can be used, and that this is said.
  private func expectUnusable(
    _ store: borrowing AccountStore, uid: UInt32 = 1000, naming words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try listed(store, uid: uid)
    #expect(found.usable.isEmpty, sourceLocation: sourceLocation)
    for word in words {
      #expect(found.unusable.contains { FaultText.of($0).contains(word) }, "\(found.unusable)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a finger reads back as it was written, and its template opens`() throws {
    let store = try start()
    let enrolled = try enroll(finger(), in: store)
    let found = try listed(store)
    #expect(found.usable == [enrolled])
    let template = try store.template(of: found.usable[0])
    #expect(template.array == SealedTemplateTests.content)
  }

  @Test func `no piece of a template is in any file`() throws {
    let store = try start()
    try enroll(finger(), in: store)
    let bytes = try RawFile.read(path(of: finger()))
    let windows = Set((0...bytes.count - 8).map { Array(bytes[$0..<$0 + 8]) })
    for start in 0...SealedTemplateTests.content.count - 8 {
      #expect(!windows.contains(Array(SealedTemplateTests.content[start..<start + 8])))
    }
  }

  @Test func `a template with any one bit flipped does not open, whichever field it is in`() throws {
    let store = try start()
    let bytes = try enroll(finger(), in: store).encoded()
    for bit in 0..<(bytes.count * 8) {
      var altered = bytes
      altered[bit / 8] ^= 1 << (bit % 8)
      guard let read = try? EnrolledFinger(decoding: altered, uid: 1000) else { continue }
      #expect(throws: SystemError.self) { try store.template(of: read) }
    }
  }

  @Test func `a template that is cut anywhere, or longer, is refused`() throws {
    let store = try start()
    let bytes = try enroll(finger(), in: store).encoded()
    for count in 0..<bytes.count {
      #expect(throws: FormatError.self) { try EnrolledFinger(decoding: Array(bytes.prefix(count)), uid: 1000) }
    }
    #expect(throws: FormatError.trailing) { try EnrolledFinger(decoding: bytes + [0], uid: 1000) }
  }

  @Test func `one template in the place of another finger's, reader's or user's is refused, and named`() throws {
    let store = try start()
    let bytes = try RawFile.read(path(of: enroll(finger(), in: store)))
    try store.remove(finger())
    for other in [finger(.rightThumb), finger(on: "driver:1"), finger(of: 1001)] {
      try enroll(other, in: store)
      try RawFile.overwrite(path(of: other), bytes)
      try expectUnusable(store, uid: other.uid, naming: path(of: other))
      try store.removeUnusableFingers(of: #require(User(uid: 0)))
      unlink(path(of: other))
    }
  }

  @Test func `a template under the fields of another one does not open`() throws {
    let store = try start()
    let enrolled = try enroll(finger(), in: store)
    try store.remove(enrolled)
    for var other in [finger(.rightThumb), finger(on: "driver:1"), finger(of: 1001)] {
      other.sealed = enrolled.sealed
      try store.write(other)
      try expectUnusable(store, uid: other.uid, naming: path(of: other), key)
      try store.remove(other)
    }
  }
}
