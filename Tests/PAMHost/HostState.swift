import CLinux
import Glibc
import SignetTestKit

/// What a module must leave in its host as it found it.
struct HostState: Equatable, Sendable {
  /// Number and target of each open descriptor.
  var descriptors: [String]
  var blockedSignals: [Int32]
  var pendingSignals: [Int32]
  /// The handler's address of each signal.
  var handlers: [UInt]
  /// Their numbers.
  var threads: [String]
  var environment: [String]
  /// Of the controlling terminal; empty without one.
  var terminal: [UInt32]

  static func now() -> HostState {
    var blocked = sigset_t()
    var pending = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &blocked)
    sigpending(&pending)
    let signals = Array(Int32(1)...64)
    return HostState(
      descriptors: descriptors(),
      blockedSignals: signals.filter { sigismember(&blocked, $0) == 1 },
      pendingSignals: signals.filter { sigismember(&pending, $0) == 1 }, handlers: signals.map(handler),
      threads: ((try? RawFile.names(in: "/proc/self/task")) ?? []).sorted(), environment: variables(), terminal: settings())
  }

  /// The names of the members that differ.
  func differences(from other: HostState) -> [String] {
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

  private static func descriptors() -> [String] {
    let all = (try? ProcessLook(getpid()).descriptors()) ?? [:]
    // But for the folder that was just being read.
    return all.map { "\($0) \($1)" }.filter { !$0.contains("/proc/") }.sorted()
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
}
