import CLinux
import Foundation
import Glibc

/// What a process has in its memory: the parts of it that it can write to. Of another process only root may ask.
public struct ProcessMemory {
  private let regions: [[UInt8]]

  public init(of pid: pid_t) throws {
    let memory = clinux_open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC, 0)
    guard memory >= 0 else { throw TestKitError("/proc/\(pid)/mem: \(clinux_errno())") }
    defer { close(memory) }
    // Foundation's reading in pieces leaves lines of this file out now and then.
    let maps = try Program.output(["cat", "/proc/\(pid)/maps"])
    regions = maps.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard words[1].hasPrefix("rw"), ends.count == 2 else { return nil }
      var bytes = [UInt8](repeating: 0, count: ends[1] - ends[0])
      let count = pread(memory, &bytes, bytes.count, ends[0])
      return count > 0 ? Array(bytes[..<count]) : nil
    }
    guard !regions.isEmpty else { throw TestKitError("no memory of \(pid) can be read") }
  }

  /// Whether these bytes are anywhere in it, one after the other.
  public func holds(_ bytes: [UInt8]) -> Bool { regions.contains { $0.holds(bytes) } }
}

extension [UInt8] {
  /// Whether these bytes are in it, one after the other. Quick where the first of them is rare. (memmem is behind
  /// _GNU_SOURCE.)
  public func holds(_ bytes: [UInt8]) -> Bool {
    withUnsafeBytes { all in
      var rest = all[...]
      while rest.count >= bytes.count, let start = rest.baseAddress,
        let found = memchr(start, Int32(bytes[0]), rest.count - bytes.count + 1)
      {
        if memcmp(found, bytes, bytes.count) == 0 { return true }
        rest = rest.dropFirst(start.distance(to: found) + 1)
      }
      return false
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var baseAddress: UnsafeRawPointer? { base.baseAddress.map { $0 + startIndex } }
}
