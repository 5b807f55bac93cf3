import CLinux
import Glibc

/// All that can be read of a process's memory, whatever it is for: what a debugger sees, and more than any core dump has. Of
/// another process only root may ask.
public struct ProcessMemory {
  private let parts: [[UInt8]]
  /// Whether signetd's can be read: by root, and not through the thread sanitizer's, which is terabytes of addresses.
  public static var isReadable: Bool { geteuid() == 0 && getenv("SIGNET_TSAN_SIGNETD") == nil }

  /// The mappings that have memory which nobody can read, by name.
  public let unreadable: [String]

  public init(of pid: pid_t) throws {
    let files = try ProcessFiles(pid)
    var (parts, unreadable): ([[UInt8]], [String]) = ([], [])
    for line in try RawFile.text("/proc/\(pid)/maps").split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 5)
      let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      // The kernel's own page at the end of the address space is no number here.
      guard ends.count == 2 else { continue }
      for run in try files.used(ends[0]..<ends[1]) {
        let bytes = files.read(run)
        if !bytes.isEmpty { parts.append(bytes) }
        if bytes.count < run.count { unreadable.append(words.count > 5 ? String(words[5]) : "") }
      }
    }
    guard !parts.isEmpty else { throw TestKitError("no memory of \(pid) can be read") }
    (self.parts, self.unreadable) = (parts, unreadable)
  }

  /// Whether these bytes are anywhere in it, one after the other.
  public func holds(_ bytes: [UInt8]) -> Bool { parts.contains { $0.holds(bytes) } }
}

/// A process's memory, and which of its pages hold anything.
private struct ProcessFiles: ~Copyable {
  private static let page = sysconf(Int32(_SC_PAGESIZE))
  private let memory: Int32
  private let pages: Int32

  init(_ pid: pid_t) throws {
    memory = clinux_open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC, 0)
    pages = clinux_open("/proc/\(pid)/pagemap", O_RDONLY | O_CLOEXEC, 0)
    guard memory >= 0, pages >= 0 else { throw TestKitError("/proc/\(pid)/mem: \(clinux_errno())") }
  }

  deinit {
    close(memory)
    close(pages)
  }

  /// The parts of a mapping that are in memory or swapped out; what it merely reserves would take gigabytes to read.
  func used(_ mapping: Range<Int>) throws -> [Range<Int>] {
    var entries = [UInt64](repeating: 0, count: mapping.count / ProcessFiles.page)
    let size = entries.count * 8
    guard pread(pages, &entries, size, mapping.lowerBound / ProcessFiles.page * 8) == size else {
      throw TestKitError("pagemap: \(clinux_errno())")
    }
    var runs: [Range<Int>] = []
    for (index, entry) in entries.enumerated() where entry >> 62 != 0 {
      let start = mapping.lowerBound + index * ProcessFiles.page
      if let last = runs.last, last.upperBound == start {
        runs[runs.count - 1] = last.lowerBound..<start + ProcessFiles.page
      } else {
        runs.append(start..<start + ProcessFiles.page)
      }
    }
    return runs
  }

  /// What of these addresses can be read, up to the first page that cannot.
  func read(_ addresses: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: addresses.count)
    let count = pread(memory, &bytes, bytes.count, addresses.lowerBound)
    return Array(bytes.prefix(max(0, count)))
  }
}

extension [UInt8] {
  /// What programs and their memory are full of.
  private static let common: Set<UInt8> = [0x00, 0x01, 0x0F, 0x20, 0x24, 0x48, 0x83, 0x85, 0x89, 0x8B, 0xE8, 0xFF]

  /// Whether these bytes are in it, one after the other. They are looked for by one that is rare. (memmem is behind
  /// _GNU_SOURCE.)
  public func holds(_ bytes: [UInt8]) -> Bool {
    let rare = bytes.firstIndex { !Self.common.contains($0) } ?? 0
    return withUnsafeBytes { all in
      guard let start = all.baseAddress, bytes.count <= all.count else { return false }
      var place = rare
      let end = all.count - bytes.count + rare + 1
      while place < end, let found = memchr(start + place, Int32(bytes[rare]), end - place) {
        if memcmp(found - rare, bytes, bytes.count) == 0 { return true }
        place = start.distance(to: found) + 1
      }
      return false
    }
  }
}
