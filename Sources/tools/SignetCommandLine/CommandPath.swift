import Glibc

/// Where the running command is installed, and what is installed with it.
enum CommandPath {
  /// The command's own file.
  static var own: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// One of Signet's other programs: installed beside the command, or in a build folder, where all lie together; `nil` where it
  /// is not installed.
  static func program(_ name: String) -> String? {
    let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return ["\(folder)/../libexec/signet/\(name)", "\(folder)/\(name)"].first { unsafe access($0, X_OK) == 0 }
  }
}
