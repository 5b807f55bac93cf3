import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetDaemon
@testable import DaemonService

/// What signetd reads below fprintd's folder, and what not.
@Suite struct FprintdPrintsTests {
  private static let reader = "synaptics:0"
  private let user = User(uid: 4711, name: "alice")
  private let folder: FprintdFolder
  private var own: String { "\(folder.path)/alice" }
  private var driver: String { "\(own)/synaptics" }
  private var device: String { "\(driver)/0" }
  private var file: String { "\(device)/7" }

  init() throws {
    folder = try FprintdFolder()
    try folder.put(Array("FP3 a print".utf8), as: .rightIndexFinger, of: "alice", on: Self.reader)
  }

  private var prints: FprintdPrints { FprintdPrints(of: user, below: folder.path) }

  private func read() throws -> [UInt8] { try prints.read(#require(prints.locations.first)).array }

  /// Expects that nothing is found, and this fault.
  private func expectFault(_ fault: SystemError, sourceLocation: SourceLocation = #_sourceLocation) {
    let prints = prints
    #expect(prints.locations.isEmpty, sourceLocation: sourceLocation)
    #expect(prints.faults.map(\.outcome) == [.unreadable(fault)], sourceLocation: sourceLocation)
  }

  @Test func `fingers are found by their numbers, on every reader, and read whole`() throws {
    try folder.put([1], as: .rightLittleFinger, of: "alice", on: Self.reader)
    try folder.put([2], as: .leftThumb, of: "alice", on: "goodixmoc:a serial : number")
    try folder.put([3], as: .rightThumb, of: "bob", on: Self.reader)
    let prints = prints
    #expect(prints.locations.map(\.finger) == [.leftThumb, .rightIndexFinger, .rightLittleFinger])
    #expect(prints.locations.map(\.reader) == ["goodixmoc:a serial : number", Self.reader, Self.reader])
    #expect(try prints.locations.map { try prints.read($0).array } == [[2], Array("FP3 a print".utf8), [1]])
    #expect(prints.faults.isEmpty)
  }

  @Test func `where fprintd has nothing of the user, or is not there, nothing is found and nothing at fault`() {
    for prints in [
      FprintdPrints(of: User(uid: 1, name: "bob"), below: folder.path), FprintdPrints(of: user, below: folder.path + "/none"),
    ] {
      #expect(prints.locations.isEmpty && prints.faults.isEmpty)
    }
  }

  @Test(arguments: ["", ".", "..", "alice/synaptics", "../alice", "alice\u{0}x"])
  func `no name leads to another folder than a user's own`(name: String) throws {
    // So that a name that went up a level would find something.
    let outer = try FprintdFolder()
    try outer.put([1], as: .leftThumb, of: "alice", on: Self.reader)
    try folder.put([1], as: .leftThumb, of: "synaptics", on: "0:7")
    for below in ["\(outer.path)/alice", "\(outer.path)/alice/synaptics", folder.path] {
      let prints = FprintdPrints(of: User(uid: 1, name: name), below: below)
      #expect(prints.locations.isEmpty && prints.faults.isEmpty)
    }
  }

  @Test func `a file that fprintd would not name so is passed over`() throws {
    for name in ["0", "b", "07", "A", "7.new", ".7"] { try RawFile.create("\(device)/\(name)", [1]) }
    #expect(prints.locations.map(\.finger) == [.rightIndexFinger])
    #expect(prints.faults.isEmpty)
  }

  // MARK: what somebody else could have put there

  @Test(
    .enabled(if: geteuid() == 0, "needs root, to give files away"),
    arguments: ["", "/alice", "/alice/synaptics", "/alice/synaptics/0"])
  func `what somebody else could have put there is not read`(below: String) throws {
    let path = folder.path + below
    #expect(chown(path, 65534, 0) == 0)
    expectFault(.foreignOwner(path, uid: 65534))
    #expect(chown(path, 0, 0) == 0)
    #expect(chmod(path, 0o720) == 0)
    expectFault(.writableByOthers(path))
    #expect(chmod(path, 0o702) == 0)
    expectFault(.writableByOthers(path))
    #expect(chmod(path, 0o700) == 0)
    #expect(try read().count == 11)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give files away"))
  func `nor a file of somebody else's, or one that others write`() throws {
    #expect(chown(file, 65534, 0) == 0)
    #expect(throws: SystemError.foreignOwner(file, uid: 65534)) { _ = try read() }
    #expect(chown(file, 0, 0) == 0)
    #expect(chmod(file, 0o622) == 0)
    #expect(throws: SystemError.writableByOthers(file)) { _ = try read() }
    // As fprintd makes it.
    #expect(chmod(file, 0o644) == 0)
    #expect(try read().count == 11)
  }

  // MARK: what is no file, or leads elsewhere

  @Test func `no link is followed, whatever it stands for`() throws {
    for path in [own, driver, device] {
      #expect(rename(path, folder.path + "/elsewhere") == 0)
      #expect(symlink(folder.path + "/elsewhere", path) == 0)
      expectFault(.call(.open, path, code: ENOTDIR))
      #expect(unlink(path) == 0)
      #expect(rename(folder.path + "/elsewhere", path) == 0)
    }
    #expect(rename(file, folder.path + "/elsewhere") == 0)
    #expect(symlink(folder.path + "/elsewhere", file) == 0)
    #expect(throws: SystemError.call(.open, file, code: ELOOP)) { _ = try read() }
  }

  @Test func `a FIFO or a folder in a print's place is refused at once`() throws {
    #expect(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
    #expect(throws: SystemError.notRegularFile(file)) { _ = try read() }
    #expect(unlink(file) == 0 && mkdir(file, 0o700) == 0)
    #expect(throws: SystemError.notRegularFile(file)) { _ = try read() }
  }

  // MARK: what is too much

  @Test func `a print that is longer than any, or empty, is refused`() throws {
    try RawFile.overwrite(file, [UInt8](repeating: 7, count: FieldLimit.template))
    #expect(try read().count == FieldLimit.template)
    try RawFile.overwrite(file, [UInt8](repeating: 7, count: FieldLimit.template + 1))
    #expect(throws: SystemError.call(.read, file, code: EFBIG)) { _ = try read() }
    try RawFile.overwrite(file, [])
    #expect(throws: SystemError.call(.read, file, code: ENODATA)) { _ = try read() }
  }

  @Test func `a print that has gone since is named`() throws {
    let prints = prints
    unlink(file)
    #expect(throws: SystemError.call(.open, file, code: ENOENT)) { _ = try prints.read(prints.locations[0]) }
  }

  @Test func `a folder with more than any reader needs is refused whole, and others are read`() throws {
    try folder.put([1], as: .leftThumb, of: "alice", on: "other:0")
    for number in 0..<FprintdPrints.most - 1 { try RawFile.create("\(device)/x\(number)", []) }
    #expect(prints.locations.count == 2)
    try RawFile.create("\(device)/one-more", [])
    #expect(prints.locations.map(\.reader) == ["other:0"])
    #expect(
      prints.faults == [ImportRow(finger: nil, reader: Self.reader, outcome: .unreadable(.call(.read, device, code: EFBIG)))])
  }

  @Test func `of many readers no more prints are taken than anybody has`() throws {
    for number in 1...20 {
      for finger in Finger.allCases { try folder.put([1], as: finger, of: "alice", on: "many:\(number)") }
    }
    let prints = prints
    #expect(prints.locations.count <= FprintdPrints.most && prints.locations.count > FprintdPrints.most - 10)
    #expect(!prints.faults.isEmpty && prints.faults.count <= FprintdPrints.most)
  }

  @Test func `a reader of a name that no packet carries is named, and nothing of it read`() throws {
    let long = String(repeating: "d", count: FieldLimit.name)
    try folder.put([1], as: .leftThumb, of: "alice", on: "long:\(long)")
    #expect(prints.locations.map(\.reader) == [Self.reader])
    let fault = SystemError.call(.open, "\(own)/long/\(long)", code: ENAMETOOLONG)
    #expect(prints.faults == [ImportRow(finger: nil, reader: "", outcome: .unreadable(fault))])
  }

  // MARK: what a print says of itself

  @Test func `a print is only what its place says, and only its user's`() throws {
    let location = try #require(prints.locations.first)
    let right = ForeignPrint(driver: "synaptics", device: "0", finger: .rightIndexFinger, user: "alice", reader: Self.reader)
    #expect(location.objection(to: right, of: user) == nil)
    func objection(_ change: (inout ForeignPrint) -> Void) -> ImportOutcome? {
      var print = right
      change(&print)
      return location.objection(to: print, of: user)
    }
    #expect(objection { $0.driver = "other" } == .misplaced)
    #expect(objection { $0.device = "1" } == .misplaced)
    #expect(objection { $0.finger = .leftThumb } == .misplaced)
    #expect(objection { $0.finger = nil } == .misplaced)
    #expect(objection { $0.user = "bob" } == .otherUser("bob"))
    #expect(objection { $0.user = "" } == .otherUser(""))
    #expect(objection { $0.user = "Alice" } == .otherUser("Alice"))
  }
}
