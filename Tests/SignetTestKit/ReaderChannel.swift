import CLinux
import Glibc
import SignetMemory
import SignetWire

/// What went wrong in a test's own machinery.
public struct TestKitError: Error, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}

/// Where a program's messages go.
public enum StandardError: Sendable {
  case inherited, discarded
  case descriptor(Int32)
}

/// signetd's end of a real signet-reader: starts it, sends commands, awaits events. Use it from one thread at a time.
public final class ReaderChannel {
  /// Of the process; 0 once it was waited for.
  public private(set) var pid: pid_t = 0
  private var descriptor: Int32 = -1
  private var packet: SecretBytes

  /// The program of this name that was built beside the running test.
  public static func program(_ name: String) throws -> String {
    let own = try RawFile.target(of: "/proc/self/exe")
    guard let slash = own.lastIndex(of: "/") else { throw TestKitError("no folder in \(own)") }
    return own[...slash] + name
  }

  /// Starts signet-reader with these arguments, an empty environment and the channel as its standard input. `launcher`
  /// is put in front, a program with its own arguments that keeps descriptor 0 (umockdev-run); it gets `environment`.
  public init(
    _ arguments: [String] = [], program: String? = nil, launcher: [String] = [], environment: [String] = [],
    standardError: StandardError = .inherited
  ) throws {
    guard let packet = SecretBytes(capacity: PacketLimit.readerPacket) else { throw TestKitError("no memory") }
    self.packet = packet
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestKitError("socketpair: \(clinux_errno())") }
    descriptor = ends[0]
    defer { Glibc.close(ends[1]) }
    let words = try launcher + [program ?? ReaderChannel.program("signet-reader")] + arguments
    pid = try spawn(words, environment: environment, standardInput: ends[1], standardError: standardError)
  }

  deinit {
    closeChannel()
    if pid > 0 {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }

  public func send(_ command: ReaderCommand) throws {
    try command.write(into: &packet)
    try transmit(packet)
  }

  /// Sends bytes as they are, for packets that are no commands.
  public func send(raw bytes: [UInt8]) throws {
    packet.removeAll()
    guard packet.append(bytes.span) else { throw TestKitError("\(bytes.count) bytes are more than a packet") }
    try transmit(packet)
  }

  private func transmit(_ packet: borrowing SecretBytes) throws {
    let sent = packet.span.withUnsafeBytes { CLinux.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent >= 0 else { throw TestKitError("send: \(clinux_errno())") }
  }

  /// The next event, apart from `finger` and `fingerOff`, which not every reader has to tell; errors as of `nextOfAll`.
  public func next(within limit: Int32 = waitingLimit) throws -> ReaderEvent {
    while true {
      switch try nextOfAll(within: limit) {
      case .finger, .fingerOff: continue
      case let event: return event
      }
    }
  }

  /// The next event; an error after `limit` milliseconds, or where the process closed the channel.
  public func nextOfAll(within limit: Int32 = waitingLimit) throws -> ReaderEvent {
    guard try isReadable(within: limit) else { throw TestKitError("no event within \(limit) ms") }
    let count = packet.replace { recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_TRUNC)) }
    guard count > 0 else { throw TestKitError("signet-reader closed the channel") }
    return try ReaderChannel.event(in: packet)
  }

  private static func event(in packet: borrowing SecretBytes) throws -> ReaderEvent {
    try ReaderEvent(parsing: packet.span)
  }

  /// The next event of this operation; others are dropped.
  public func next(of operation: UInt32, within limit: Int32 = waitingLimit) throws -> ReaderEvent {
    while true {
      let event = try next(within: limit)
      if event.operation == operation { return event }
    }
  }

  /// Whether an event, or the channel's end, comes within the time.
  public func isReadable(within limit: Int32) throws -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&ready, 1, limit)
      if count >= 0 { return count > 0 }
      guard clinux_errno() == EINTR else { throw TestKitError("poll: \(clinux_errno())") }
    }
  }

  /// Closes signetd's end.
  public func closeChannel() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Waits until the process has ended: its exit status, or the negative number of the signal that ended it.
  public func waitForExit(within limit: Int32 = waitingLimit) throws -> Int32 {
    let status = try SignetTestKit.waitForExit(of: pid, within: limit)
    pid = 0
    return status
  }
}

/// Waits for a child: its exit status, or the negative number of the signal that ended it.
public func waitForExit(of pid: pid_t, within limit: Int32) throws -> Int32 {
  let handle = pidfd_open(pid, 0)
  guard handle >= 0 else { throw TestKitError("pidfd_open: \(clinux_errno())") }
  defer { close(handle) }
  var ended = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
  guard poll(&ended, 1, limit) == 1 else { throw TestKitError("process \(pid) did not end within \(limit) ms") }
  var status: Int32 = 0
  guard waitpid(pid, &status, 0) == pid else { throw TestKitError("waitpid: \(clinux_errno())") }
  return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
}

/// Starts a program; without a standard input of its own it gets /dev/null.
public func spawn(
  _ words: [String], environment: [String], standardInput: Int32?, standardError: StandardError
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let standardInput {
    posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
  } else {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  }
  switch standardError {
  case .inherited: break
  case .discarded: posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, 2)
  }
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for pointer in arguments + variables { free(pointer) } }
  var pid: pid_t = 0
  // The test runner blocks most signals; a program must not start that way.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  let error = posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, &variables)
  guard error == 0 else { throw TestKitError("\(words[0]): \(String(cString: strerror(error)))") }
  return pid
}
