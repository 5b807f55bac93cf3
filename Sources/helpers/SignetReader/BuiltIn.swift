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
    guard let place = USBPlace(of: device) else { return false }
    return holds(bus: place.bus, address: place.address)
  }

  /// The same of a USB device. `sys` is the folder of sysfs.
  ///
  /// Firmware says of a port whether something is plugged into it or soldered to it. A hub says it of its own ports, too, and so a
  /// reader can be `fixed` in a keyboard or a dock: it is built in only where nothing on the way to it is `removable`.
  static func holds(bus: UInt8, address: UInt8, below sys: String = "/sys") -> Bool {
    guard var folder = USBPlace(bus: bus, address: address).folder(below: sys) else { return false }
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
