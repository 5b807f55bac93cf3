import CFprint
import Glibc

/// Whether a reader is part of the machine, so that a closed lid covers it, as far as the kernel knows.
enum BuiltIn {
  /// A device's folder is never so deep.
  private static let deepest = 64

  /// False where nobody says so.
  static func holds(_ device: UnsafeMutablePointer<FpDevice>) -> Bool {
    // A bus that nothing can be plugged into.
    if cfprint_is_on_spi(device) != 0 { return true }
    var (bus, address): (UInt8, UInt8) = (0, 0)
    guard cfprint_usb_place(device, &bus, &address) != 0, bus > 0, address > 0 else { return false }
    return holds(bus: bus, address: address)
  }

  /// The same of a USB device. `sys` is the folder of sysfs.
  ///
  /// Firmware says of a port whether something is plugged into it or soldered to it. A hub says it of its own ports, too, and so a
  /// reader can be `fixed` in a keyboard or a dock: it is built in only where nothing on the way to it is `removable`.
  static func holds(bus: UInt8, address: UInt8, below sys: String = "/sys") -> Bool {
    // As the kernel numbers the nodes of USB.
    let minor = (Int(bus) - 1) * 128 + Int(address) - 1
    guard let resolved = realpath("\(sys)/dev/char/189:\(minor)", nil) else { return false }
    defer { free(resolved) }
    var folder = String(cString: resolved)
    guard word("\(folder)/removable") == "fixed" else { return false }
    for _ in 0..<deepest {
      guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return true }
      folder = String(folder[..<slash])
      if word("\(folder)/removable") == "removable" { return false }
    }
    return false
  }

  /// The one short word of an attribute; `nil` where there is none.
  private static func word(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = read(file, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
