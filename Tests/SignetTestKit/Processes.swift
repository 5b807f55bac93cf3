import Glibc

/// What /proc says of a process. Whoever asks compares what is named here, not how many there are: a busy process has opened
/// something or ended something between any two looks at it.
public struct ProcessLook {
  private let pid: pid_t

  public init(_ pid: pid_t) { self.pid = pid }

  /// What each open descriptor is, by its number: a path, or a kind and the number of an inode.
  public func descriptors() throws -> [String: String] {
    let folder = "/proc/\(pid)/fd"
    return try RawFile.names(in: folder).reduce(into: [:]) { all, number in
      // One that was closed since is not open.
      all[number] = try? RawFile.target(of: "\(folder)/\(number)")
    }
  }

  /// Whether a signal has stopped it: who sends one is not told when it has.
  public var isStopped: Bool {
    get throws {
      let status = try RawFile.text("/proc/\(pid)/stat")
      return status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ").dropFirst().first == "T"
    }
  }

  /// The processes of this name (its first 15 letters) that it started and has not reaped. By the children's own word for
  /// who their parent is: /proc's lists of children are a thread's, and for a moment have none of a thread that ended.
  public func children(named name: String) throws -> [pid_t] {
    try RawFile.names(in: "/proc").compactMap { pid_t($0) }.filter { child in
      // `4711 (a name) S 1 …` (proc(5)); a name may have brackets of its own. It may have ended since it was listed.
      guard let status = try? RawFile.text("/proc/\(child)/stat"), let end = status.lastIndex(of: ")") else { return false }
      return status[end...].split(separator: " ").dropFirst(2).first == "\(pid)"
        && status[..<end] == "\(child) (\(name.prefix(15))"
    }
  }
}
