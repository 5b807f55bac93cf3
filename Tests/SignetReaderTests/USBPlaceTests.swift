import Glibc
import SignetTestKit
import Testing

@testable import SignetReader

/// Whether a program has a reader on USB for itself, as sysfs says.
@Suite struct USBPlaceTests {
  private let folder = try! TemporaryFolder()

  /// The device with address 4 of bus 1, and the drivers of its interfaces; `nil`: none.
  private func isClaimed(_ drivers: [String?]) -> Bool {
    let device = folder.path + "/1-3"
    for folder in [folder.path + "/dev", folder.path + "/dev/char", device, device + "/power"] { mkdir(folder, 0o755) }
    #expect(symlink(device, folder.path + "/dev/char/189:3") == 0)
    #expect(symlink("../drivers/usbfs", device + "/driver") == 0)
    for (number, driver) in drivers.enumerated() {
      mkdir(device + "/1-3:1.\(number)", 0o755)
      if let driver { #expect(symlink("../../drivers/" + driver, device + "/1-3:1.\(number)/driver") == 0) }
    }
    return USBPlace(bus: 1, address: 4).isClaimed(below: folder.path)
  }

  @Test func `one with an interface that a program has claimed is`() { #expect(isClaimed([nil, "usbfs"])) }

  // What the whole device has for a driver says nothing.
  @Test(arguments: [[], [nil, nil], ["usbhid"], ["not-usbfs", "usbfs2"]])
  func `one whose interfaces are free or the kernel's is not`(drivers: [String?]) { #expect(!isClaimed(drivers)) }

  @Test func `one that is gone is not`() { #expect(!USBPlace(bus: 1, address: 4).isClaimed(below: folder.path)) }
}
