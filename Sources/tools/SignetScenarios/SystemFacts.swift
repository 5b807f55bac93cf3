import CLinux
import Glibc

/// On what a run ran, as far as it bears on readers.
public struct SystemFacts: Codable, Sendable {
  public var signet: String
  public var libfprint: String
  public var kernel: String
  /// Readers as the USB stack sees them: vendor, product, and the version of the device, which is its firmware's.
  public var devices: [String]

  public init(signet: String) {
    self.signet = signet
    libfprint = SystemFacts.packageVersion("libfprint-2-2") ?? "unknown: it is not from a Debian package"
    kernel = SystemFacts.runningKernel()
    devices = SystemFacts.usbReaders()
  }

  private static func runningKernel() -> String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "unknown" }
    let (release, machine) = (name.release, name.machine)
    return "\(text(release)) \(text(machine))"
  }

  /// The text in one of uname(2)'s arrays.
  private static func text<Array>(_ array: Array) -> String {
    unsafe withUnsafeBytes(of: array) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// What dpkg-query(1) says of it; no word of others is among the shell's.
  private static func packageVersion(_ package: StaticString) -> String? {
    let line = "/usr/bin/dpkg-query -W -f '${Version}' \(package) 2>/dev/null"
    guard let answer = unsafe popen(line, "re") else { return nil }
    defer { unsafe _ = pclose(answer) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe fread(&bytes, 1, bytes.count, answer)
    return count == 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Only Signet's own udev rules give a device node to this group.
  private static func usbReaders() -> [String] {
    guard let group = unsafe getgrnam("signet") else { return [] }
    let gid = unsafe group.pointee.gr_gid
    let folder = "/sys/bus/usb/devices"
    return entries(folder).filter { !$0.contains(":") }.prefix(256).compactMap { name in
      func attribute(_ attribute: String) -> String? {
        contents("\(folder)/\(name)/\(attribute)", limit: 64).map { String($0.prefix { !$0.isWhitespace }) }
      }
      guard let bus = attribute("busnum").flatMap(Int.init), let number = attribute("devnum").flatMap(Int.init) else {
        return nil
      }
      func padded(_ number: Int) -> String { String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number)" }
      var node = stat()
      guard unsafe stat("/dev/bus/usb/\(padded(bus))/\(padded(number))", &node) == 0, node.st_gid == gid else { return nil }
      let facts = ["idVendor", "idProduct", "bcdDevice"].map { attribute($0) ?? "?" }
      return "USB \(facts[0]):\(facts[1]), version \(facts[2])"
    }.sorted()
  }

  private static func entries(_ folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory), names.count < 4_096 { names.append(text(unsafe entry.pointee.d_name)) }
    return names.filter { !$0.hasPrefix(".") }
  }

  private static func contents(_ path: String, limit: Int) -> String? {
    let file = unsafe clinux_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = unsafe read(file, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
