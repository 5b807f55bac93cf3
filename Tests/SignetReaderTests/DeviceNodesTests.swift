import Glibc
import SignetTestKit
import Testing

@testable import SignetReader

/// What tells signet-reader to look for readers anew.
@Suite struct DeviceNodesTests {
  private let folder = try! TemporaryFolder()

  private func plug(_ name: String) throws {
    mkdir(folder.path + "/001", 0o755)
    try RawFile.create("\(folder.path)/001/\(name)", [])
  }

  @Test func `nothing new is nothing new`() throws {
    try plug("002")
    #expect(DeviceNodes(below: folder.path) == DeviceNodes(below: folder.path))
  }

  @Test func `what is plugged in or out is seen`() throws {
    try plug("002")
    let before = DeviceNodes(below: folder.path)
    try plug("003")
    let between = DeviceNodes(below: folder.path)
    #expect(between != before)
    #expect(unlink(folder.path + "/001/003") == 0)
    #expect(DeviceNodes(below: folder.path) == before)
  }

  @Test func `a node that udev has given away since it was looked at is seen`() throws {
    try plug("002")
    let before = DeviceNodes(below: folder.path)
    // A clock ticks in between, or the change would have the same moment.
    try wait(for: "another moment") {
      #expect(chmod(folder.path + "/001/002", 0o660) == 0)
      return DeviceNodes(below: folder.path) != before
    }
  }

  @Test func `where there are no devices there are none`() {
    #expect(DeviceNodes(below: folder.path + "/none") == DeviceNodes(below: folder.path))
  }
}
