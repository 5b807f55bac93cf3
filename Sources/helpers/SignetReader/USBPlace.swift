import CFprint
import Glibc
import SignetMachine

/// Where a reader is on USB.
struct USBPlace {
  var bus: UInt8
  var address: UInt8

  init(bus: UInt8, address: UInt8) { (self.bus, self.address) = (bus, address) }

  /// `nil` for a reader that is not on USB, or whose place nobody tells.
  init?(of device: UnsafeMutablePointer<FpDevice>) {
    (bus, address) = (0, 0)
    guard cfprint_usb_place(device, &bus, &address) != 0, bus > 0, address > 0 else { return nil }
  }

  /// The device's folder. `sys` is that of sysfs.
  func folder(below sys: String = "/sys") -> String? {
    // As the kernel numbers the nodes of USB.
    let minor = (Int(bus) - 1) * 128 + Int(address) - 1
    guard let resolved = realpath("\(sys)/dev/char/189:\(minor)", nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether a program has an interface of the device for itself. The kernel says that to everybody, but not which program: the
  /// interface's driver is then `usbfs`.
  func isClaimed(below sys: String = "/sys") -> Bool {
    guard let folder = folder(below: sys) else { return false }
    let machine = Machine()
    // An interface is called after the device: 1-3:1.0.
    return (machine.names(folder) ?? []).contains {
      $0.contains(":") && machine.link("\(folder)/\($0)/driver")?.split(separator: "/").last == "usbfs"
    }
  }
}
