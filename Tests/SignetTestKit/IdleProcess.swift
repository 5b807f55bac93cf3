import Glibc
import SignetFiles

/// Whether a process sleeps in poll(2) without a limit of time, as the kernel tells it (proc_pid_syscall(5)); then nothing but others wakes it.
public func sleepsWithoutLimit(_ pid: pid_t) -> Bool {
  let words = ((try? RawFile.text("/proc/\(pid)/syscall")) ?? "").split(separator: " ")
  guard words.count > 3, let limit = UInt64(words[3].dropFirst(2), radix: 16) else { return false }
  #if arch(x86_64)
    return words[0] == "7" && limit & 0xFFFF_FFFF == 0xFFFF_FFFF
  #else
    // ppoll(2), whose limit is an address.
    return words[0] == "73" && limit == 0
  #endif
}

/// What a process has in memory, as its share where others have the same (proc_pid_smaps(5)).
public func residentKilobytes(of pid: pid_t) throws -> Int {
  let lines = try RawFile.text("/proc/\(pid)/smaps_rollup").split(separator: "\n")
  let words = lines.first { $0.hasPrefix("Pss:") }?.split(separator: " ")
  guard let words, words.count > 1, let size = Int(words[1]) else { throw TestKitError("no size of \(pid)") }
  return size
}
