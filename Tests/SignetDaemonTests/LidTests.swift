import Glibc
import SignetTestKit
import Testing

@testable import DaemonReaders

/// What signetd believes of a lid.
@Suite struct LidTests {
  private let folder = try! TemporaryFolder()

  private func lid(_ state: String, in name: String = "LID0") throws {
    mkdir("\(folder.path)/\(name)", 0o755)
    try RawFile.create("\(folder.path)/\(name)/state", Array(state.utf8))
  }

  private var isClosed: Bool { Lid(below: folder.path).isClosed }

  @Test func `the kernel's words are understood`() throws {
    try lid("state:      closed\n")
    #expect(isClosed)
  }

  @Test(
    arguments: [
      "state:      open\n", "state:      unsupported\n", "", "closed", "state: closed closed\n", "state:closed\n",
      "state:\nopen closed",
      "status:     closed\n", "\0state:      closed\n", "state:" + String(repeating: " ", count: 200) + "closed\n",
    ])
  func `anything else is a lid that is not closed`(state: String) throws {
    try lid(state)
    #expect(!isClosed)
  }

  @Test func `one of several is enough`() throws {
    try lid("state:      open\n", in: "LID0")
    try lid("state:      closed\n", in: "LID1")
    #expect(isClosed)
  }

  @Test func `a machine without a lid has none that is closed`() {
    #expect(!isClosed)
    #expect(!Lid(below: folder.path + "/none").isClosed)
  }

  @Test func `what nobody writes to keeps nobody waiting`() throws {
    mkdir(folder.path + "/LID0", 0o755)
    #expect(mkfifo(folder.path + "/LID0/state", 0o644) == 0)
    #expect(!isClosed)
  }
}
