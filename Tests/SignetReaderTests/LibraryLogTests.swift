import SignetTestKit
import Testing

@testable import SignetReader

@Suite struct LibraryLogTests {
  @Test func `libusb's errors and warnings are logged, but not that udev has news of a device that stayed`() {
    #expect(usbLog(level: 1, "libusb: error [udev_hotplug_event] ignoring udev action change\n") == nil)
    #expect(usbLog(level: 3, "libusb: info [x] y") == nil)
    #expect(usbLog(level: 1, "libusb: error [op_open] no access")?.level == .error)
    #expect(usbLog(level: 2, "libusb: warning [x] y")?.level == .warning)
  }

  @Test(arguments: ForeignTextVector.all) func `a driver's words are harmless, and end no value`(vector: ForeignTextVector) {
    #expect(vector.expects(singleLine(vector.text)))
    #expect(!singleLine(vector.text + "\"").contains("\""))
    #expect(singleLine(String(repeating: "x", count: 500)).count == 400)
  }
}
