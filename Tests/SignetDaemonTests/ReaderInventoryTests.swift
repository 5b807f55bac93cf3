import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonReaders
@testable import SignetDaemon

/// Which readers there are, as far as signetd knows without asking, and what the kernel says of devices.
@Suite struct ReaderInventoryTests {
  private let reader = ReaderDescription(
    identifier: "driver:0", name: "Driver", driver: "driver", isSwipe: false, canIdentify: true, hasStorage: false,
    enrollStages: 5)
  private let folders = DeviceFolders.now

  private func known() -> ReaderInventory {
    var inventory = ReaderInventory()
    inventory.keep([reader], folders, at: 1_000)
    return inventory
  }

  @Test func `a listing is believed for a minute`() {
    #expect(known().readers(folders, at: 60_999) == [reader])
    #expect(known().readers(folders, at: 61_000) == nil)
    #expect(known().readers(folders, at: 999) == nil)
  }

  @Test func `what was plugged in or out is looked for`() {
    var inventory = known()
    inventory.forget()
    #expect(inventory.readers(folders, at: 1_000) == nil)
    #expect(inventory.revision == 1)
  }

  @Test func `a reader that was removed while open is gone until it can be opened`() {
    var inventory = known()
    inventory.noteOpening("driver:0", 3, beside: false)
    inventory.note(.opened(operation: 3))
    #expect(inventory.revision == 0)
    inventory.note(.failed(operation: 4, .removed, explanation: "removed"))
    #expect(inventory.revision == 1 && inventory.present([reader]) == [])
    inventory.noteOpening("driver:0", 5, beside: false)
    inventory.note(.opened(operation: 5))
    #expect(inventory.revision == 2 && inventory.present([reader]) == [reader])
  }

  @Test func `of readers that are open side by side only the one that was removed is gone`() {
    var inventory = known()
    inventory.noteOpening("driver:0", 3, beside: false)
    inventory.noteOpening("other:0", 4, beside: true)
    inventory.note(.failed(operation: 4, .removed, explanation: "removed"))
    #expect(inventory.present([reader]) == [reader])
    // A scan on both has failed on both.
    inventory.note(.failed(operation: 5, .removed, explanation: "removed"))
    #expect(inventory.present([reader]) == [])
  }

  @Test func `a reader that is not found when it is opened is not believed to be there`() {
    var inventory = known()
    inventory.noteOpening("driver:0", 3, beside: false)
    inventory.note(.failed(operation: 3, .notFound, explanation: "no reader"))
    #expect(inventory.readers(folders, at: 1_000) == nil && inventory.revision == 1)
  }

  private func isAboutReader(_ lines: String...) -> Bool { DeviceNews.isAboutReader(Array(lines.joined(separator: "\0").utf8)) }

  @Test func `news of a whole USB device, a hidraw or spidev node are about readers`() {
    #expect(isAboutReader("add@/devices/usb1/1-4", "ACTION=add", "SUBSYSTEM=usb", "DEVTYPE=usb_device"))
    #expect(isAboutReader("remove@/devices/x", "ACTION=remove", "SUBSYSTEM=hidraw"))
    #expect(isAboutReader("add@/devices/x", "ACTION=add", "SUBSYSTEM=spidev"))
  }

  @Test func `other news are not`() {
    #expect(!isAboutReader("add@/devices/usb1/1-4:1.0", "ACTION=add", "SUBSYSTEM=usb", "DEVTYPE=usb_interface"))
    #expect(!isAboutReader("change@/devices/x", "ACTION=change", "SUBSYSTEM=hidraw"))
    #expect(!isAboutReader("add@/devices/x", "ACTION=add", "SUBSYSTEM=net"))
    // What stands in the head, or nowhere, says nothing.
    #expect(!isAboutReader("ACTION=add", "SUBSYSTEM=hidraw"))
    #expect(!isAboutReader("add@/devices/x", "ACTION=add"))
    for bytes in [[], [0], [0, 0, 0], [0xFF, 0xFE, 0, 0xFF], [UInt8](repeating: 0x41, count: 8192)] as [[UInt8]] {
      #expect(!DeviceNews.isAboutReader(bytes))
    }
  }
}
