import Glibc
import SignetTestKit
import Testing

@testable import SignetReader

/// Which readers a closed lid covers, as sysfs says.
@Suite struct BuiltInTests {
  private let folder = try! TemporaryFolder()

  /// A device of bus 1 with address 4, and what each folder on the way to it says; `nil`: it has no such attribute.
  private func isBuiltIn(_ words: [(folder: String, removable: String?)]) throws -> Bool {
    var path = folder.path + "/devices"
    for folder in [folder.path + "/dev", folder.path + "/dev/char", path] { mkdir(folder, 0o755) }
    for (name, word) in words {
      path += "/" + name
      mkdir(path, 0o755)
      if let word { try RawFile.create(path + "/removable", Array((word + "\n").utf8)) }
    }
    #expect(symlink(path, folder.path + "/dev/char/189:3") == 0)
    return BuiltIn.holds(bus: 1, address: 4, below: folder.path)
  }

  @Test func `one that is fixed to a port of the machine is`() throws {
    #expect(try isBuiltIn([("pci0000:00", nil), ("usb1", "unknown"), ("1-3", "fixed")]))
  }

  @Test(arguments: ["removable", "unknown", "", "Fixed", "fixed fixed", String(repeating: "fixed", count: 20)])
  func `one of which anything else is said is not`(word: String) throws {
    #expect(try !isBuiltIn([("usb1", "unknown"), ("1-3", word)]))
  }

  @Test func `one that is fixed in a keyboard that is plugged in is not`() throws {
    #expect(try !isBuiltIn([("usb1", "unknown"), ("1-2", "removable"), ("1-2.1", "fixed")]))
  }

  @Test func `one behind a bus that is plugged in is not`() throws {
    #expect(try !isBuiltIn([("pci0000:00", nil), ("0000:05:00.0", "removable"), ("usb1", "unknown"), ("1-3", "fixed")]))
  }

  @Test func `one that is gone is not`() { #expect(!BuiltIn.holds(bus: 1, address: 4, below: folder.path)) }

  @Test func `devices of another bus have another number`() throws {
    #expect(try isBuiltIn([("usb1", "unknown"), ("1-3", "fixed")]))
    #expect(!BuiltIn.holds(bus: 2, address: 4, below: folder.path))
    #expect(symlink("189:3", folder.path + "/dev/char/189:131") == 0)
    #expect(BuiltIn.holds(bus: 2, address: 4, below: folder.path))
  }
}
