import CLinux
import Glibc
import SignetFiles

/// What /proc says of a process.
package struct PeerProcess: Equatable, Sendable {
  /// Its number; 0 where it is gone.
  package private(set) var pid: Int32 = 0
  /// The program's path. Where the kernel hides it, as it does from a signetd without `CAP_SYS_PTRACE`, or the path could be of
  /// somebody's own making, the process's name, which the process may choose: it has no slash, so that it is no path. Empty where
  /// it is gone.
  package var program = ""
  /// No audit session, no user: `(uid_t)-1`.
  package static let none = UInt32.max
  /// The audit session (pam_loginuid(8)), and who logged in to it; all ones for none.
  package var session = none
  package var loginUser = none
  /// The controlling terminal; empty for none, and for one without a name here.
  package var terminal = ""
  package private(set) var hasTerminal = false

  package init() {}

  /// Reads what is there now. A process that began after `connected` (on the boot clock, in milliseconds) has another's
  /// number, and is not the one that connected.
  package init(of pid: Int32, connected: Int64) {
    guard pid > 0, let numbers = PeerProcess.numbers(of: pid),
      PeerProcess.milliseconds(ticks: numbers[19]) <= connected
    else { return }
    self.pid = pid
    terminal = PeerProcess.terminal(numbers[4])
    hasTerminal = numbers[4] != 0
    program = JournalEntry.harmless(PeerProcess.path(of: pid) ?? PeerProcess.name(of: pid) ?? "")
    session = PeerProcess.number("sessionid", of: pid) ?? PeerProcess.none
    loginUser = PeerProcess.number("loginuid", of: pid) ?? PeerProcess.none
  }

  /// Whether a process is the one that connected: one that began later has another's number.
  package static func began(_ pid: Int32, before connected: Int64) -> Bool {
    guard let numbers = numbers(of: pid) else { return false }
    return milliseconds(ticks: numbers[19]) <= connected
  }

  private static func path(of pid: Int32) -> String? {
    let own = Peer(pid: pid, uid: geteuid(), gid: getegid())
    return Executable(of: own).flatMap { $0.isAtItsPath(for: own) ? $0.path : nil }
  }

  /// What one of the kernel's links says; `nil` where it does not say, or says more than a path has bytes.
  static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe readlink(path, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 && count < buffer.count ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  private static func name(of pid: Int32) -> String? {
    read("comm", of: pid).map {
      String(decoding: $0.dropLast().map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }
  }

  static func number(_ file: String, of pid: Int32) -> UInt32? {
    read(file, of: pid).flatMap { UInt32(String(decoding: $0, as: UTF8.self)) }
  }

  /// The fields of /proc/PID/stat (proc(5)) behind the name; what is no number is 0. The terminal is at 4, and at 19 is
  /// when it began, in ticks on the boot clock.
  private static func numbers(of pid: Int32) -> [Int64]? {
    // The name, in parentheses, may hold anything, but the last parenthesis is its end.
    guard let bytes = read("stat", of: pid), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    return words.count > 19 ? words.map { Int64($0) ?? 0 } : nil
  }

  private static func milliseconds(ticks: Int64) -> Int64 { ticks * 1000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

  /// The name of a terminal's device number: `pts/3`, `tty1`, `ttyS0`.
  package static func terminal(_ device: Int64) -> String {
    let major = device >> 8 & 0xFFF
    let minor = device & 0xFF | device >> 12 & 0xFFF00
    switch (major, minor) {
    case (136...143, _): return "pts/\((major - 136) * 256 + minor)"
    case (4, 1..<64): return "tty\(minor)"
    case (4, 64...255): return "ttyS\(minor - 64)"
    default: return ""
    }
  }

  static func read(_ file: String, of pid: Int32) -> [UInt8]? { read("/proc/\(pid)/\(file)") }

  /// The beginning of one of the kernel's files.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = Descriptor(unsafe clinux_open(path, O_RDONLY | O_CLOEXEC, 0))
    guard descriptor.raw >= 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor.raw, $0.baseAddress, $0.count) }
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}
