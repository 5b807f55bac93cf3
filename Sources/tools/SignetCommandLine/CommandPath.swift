import Glibc

/// Where the running command is installed, and what is installed with it.
enum CommandPath {
  /// The command's own file.
  static var own: String { executable("self") }

  /// That of another process of the user's; empty where the kernel does not say.
  static func executable(of process: pid_t) -> String { executable("\(process)") }

  private static func executable(_ process: String) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/\(process)/exe", &buffer, buffer.count - 1)
    return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A program's name alone where only root can have put it there, and all of its path elsewhere: there anything may be called `sudo`.
  static func shown(_ program: String) -> String {
    let folders = ["/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/libexec/", "/bin/", "/sbin/", "/lib/"]
    guard folders.contains(where: program.hasPrefix) else { return program }
    return program.split(separator: "/").last.map(String.init) ?? program
  }

  /// One of Signet's other programs: installed beside the command, or in a build folder, where all lie together; `nil` where it
  /// is not installed.
  static func program(_ name: String) -> String? {
    let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return ["\(folder)/../libexec/signet/\(name)", "\(folder)/\(name)"].first { unsafe access($0, X_OK) == 0 }
  }
}
