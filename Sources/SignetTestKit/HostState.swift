import CLinux
import Glibc

/// What a module must leave in its host as it found it.
public struct HostState: Equatable, Sendable {
  /// Number and target of each open descriptor.
  public var descriptors: [String]
  public var blockedSignals: [Int32]
  public var pendingSignals: [Int32]
  /// The handler's address of each signal.
  public var handlers: [UInt]
  public var threads: Int
  public var environment: [String]
  /// Of the controlling terminal; empty without one.
  public var terminal: [UInt32]

  public static func now() -> HostState {
    var blocked = sigset_t()
    var pending = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &blocked)
    sigpending(&pending)
    let signals = Array(Int32(1)...64)
    return HostState(
      descriptors: names(in: "/proc/self/fd").map { "\($0) \(target(of: $0))" }.filter { !$0.contains("/proc/") }.sorted(),
      blockedSignals: signals.filter { sigismember(&blocked, $0) == 1 },
      pendingSignals: signals.filter { sigismember(&pending, $0) == 1 }, handlers: signals.map(handler),
      threads: names(in: "/proc/self/task").count, environment: variables(), terminal: settings())
  }

  /// The names of the members that differ.
  public func differences(from other: HostState) -> [String] {
    var names: [String] = []
    if descriptors != other.descriptors { names.append("descriptors") }
    if blockedSignals != other.blockedSignals { names.append("blockedSignals") }
    if pendingSignals != other.pendingSignals { names.append("pendingSignals") }
    if handlers != other.handlers { names.append("handlers") }
    if threads != other.threads { names.append("threads") }
    if environment != other.environment { names.append("environment") }
    if terminal != other.terminal { names.append("terminal") }
    return names
  }

  private static func handler(of signal: Int32) -> UInt {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return withUnsafeBytes(of: &action) { $0.loadUnaligned(as: UInt.self) }
  }

  private static func variables() -> [String] {
    var all: [String] = []
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let start = entry?.pointee {
      all.append(String(cString: start))
      entry = entry?.advanced(by: 1)
    }
    return all
  }

  private static func settings() -> [UInt32] {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard terminal >= 0 else { return [] }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return [] }
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func target(of descriptor: String) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &path, path.count - 1)
    guard count > 0 else { return "" }
    return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
