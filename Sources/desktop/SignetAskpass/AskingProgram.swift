import Glibc
import SignetWords

extension AskersPrompt.AskingProgram {
  /// The process that started this one.
  static func parent() -> AskersPrompt.AskingProgram {
    let parent = getppid()
    let name = AskingProgram.text("/proc/\(parent)/comm").map { String($0.prefix { $0 != "\n" }) } ?? ""
    // `Uid:	real	effective	saved	file system`
    let ids = AskingProgram.text("/proc/\(parent)/status")?.split(separator: "\n").first { $0.hasPrefix("Uid:") }
    let effective = ids?.split(separator: "\t").dropFirst(2).first
    return AskersPrompt.AskingProgram(
      name: DesktopText.shown(name, limit: DesktopText.applicationLimit), isRoot: effective == "0" && getuid() != 0,
      user: AskingProgram.ownName)
  }
}

enum AskingProgram {
  /// A file of proc(5), to its first 4,096 bytes.
  static func text(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  static var ownName: String {
    guard let entry = unsafe getpwuid(getuid()) else { return "" }
    return unsafe String(cString: entry.pointee.pw_name)
  }
}
