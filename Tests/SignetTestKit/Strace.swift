import CLinux
import Glibc

/// A step at which a process can be killed: the n-th time that one of its threads makes this system call.
public struct Step: Hashable, CustomStringConvertible {
  public var call: String
  public var number: Int
  public var description: String { "\(call) number \(number)" }
}

/// strace(1) on a running process and all its threads, until the object goes: it writes down the calls, or kills the
/// process at one.
public final class Strace {
  private var pid: pid_t = 0
  private let log: String
  /// Its standard error, kept open: it goes on to tell of new threads there.
  private let messages: Int32

  public static var isAvailable: Bool { geteuid() == 0 && access("/usr/bin/strace", X_OK) == 0 }

  /// With a step the process is ended by SIGKILL there (strace's fault injection).
  public convenience init(_ target: pid_t, killingAt step: Step? = nil) throws {
    let injection = step.map { ["-e", "inject=\($0.call):signal=KILL:when=\($0.number)"] } ?? []
    try self.init(target, injection)
  }

  /// Lets each call that names a file so, and no file otherwise, begin so many microseconds late.
  public convenience init(_ target: pid_t, delaying call: String, of name: String, by delay: Int) throws {
    try self.init(target, ["-P", name, "-e", "inject=\(call):delay_enter=\(delay)"])
  }

  private init(_ target: pid_t, _ injection: [String]) throws {
    log = "/tmp/signet-strace.\(getpid()).\(target)"
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    defer { close(ends[1]) }
    messages = ends[0]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pid = try spawn(
      ["/usr/bin/strace", "-f", "-o", log, "-e", "trace=all"] + injection + ["-p", "\(target)"], environment: [],
      standardInput: nil, standardError: .descriptor(ends[1]))
    // strace says when it has stopped and seized every thread.
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !text.contains("attached") {
      var watched = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, waitingLimit) == 1 else { throw TestKitError("strace does not attach: \(text)") }
      let count = read(ends[0], &buffer, buffer.count)
      guard count > 0 else { throw TestKitError("strace does not attach: \(text)") }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  deinit {
    detach()
    close(messages)
    unlink(log)
  }

  private func detach() {
    if pid == 0 { return }
    // SIGTERM lets strace detach; it ends by itself with the traced process. It was seen to wait for ever for a thread
    // that died while it was being created.
    kill(pid, SIGTERM)
    if !ends(pid, within: 2_000) { kill(pid, SIGKILL) }
    waitpid(pid, nil, 0)
    pid = 0
  }

  /// Detaches, and returns a line for each call.
  public func lines() throws -> [Substring] {
    detach()
    return try RawFile.text(log).split(separator: "\n")
  }

  /// Detaches, and returns every step that was seen.
  public func steps() throws -> [Step] {
    var counts: [String: [Substring: Int]] = [:]
    for line in try lines() {
      // `11751 recvfrom(8, …`; a call that was interrupted by another thread's comes again as `<... name resumed>`.
      guard let space = line.firstIndex(of: " "), let end = line.firstIndex(of: "(") else { continue }
      let (thread, name) = (line[..<space], String(line[space..<end].drop { $0 == " " }))
      guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { continue }
      // Not calls that a process makes by itself, or after which nothing is left to kill.
      if ["restart_syscall", "exit", "exit_group"].contains(name) { continue }
      counts[name, default: [:]][thread, default: 0] += 1
    }
    return counts.keys.sorted().flatMap { name in (1...counts[name]!.values.max()!).map { Step(call: name, number: $0) } }
  }
}

extension Strace {
  /// A launcher that writes the calls of a program to `log`, or ends it by SIGKILL at a step.
  public static func launcher(log: String, killingAt step: Step? = nil) -> [String] {
    ["strace", "-f", "-qq", "-o", log] + (step.map { ["-e", "inject=\($0.call):signal=KILL:when=\($0.number)"] } ?? [])
  }

  /// The steps in such a log, from the first line on that contains `beginning`, of a program without threads.
  public static func steps(in log: String, from beginning: String) throws -> [Step] {
    var counts: [String: Int] = [:]
    var steps: [Step] = []
    for line in try RawFile.text(log).split(separator: "\n") {
      guard let space = line.firstIndex(of: " "), let end = line.firstIndex(of: "(") else { continue }
      let name = String(line[space..<end].drop { $0 == " " })
      guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { continue }
      counts[name, default: 0] += 1
      if steps.isEmpty, !line.contains(beginning) { continue }
      // Not calls that a process makes by itself, or after which nothing is left to kill.
      if ["restart_syscall", "exit", "exit_group"].contains(name) { continue }
      steps.append(Step(call: name, number: counts[name]!))
    }
    return steps
  }
}

/// Whether a process ends within so many milliseconds; it is not reaped.
public func ends(_ pid: pid_t, within limit: Int32 = waitingLimit) -> Bool {
  let handle = pidfd_open(pid, 0)
  guard handle >= 0 else { return true }
  defer { close(handle) }
  var watched = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
  return poll(&watched, 1, limit) == 1
}
