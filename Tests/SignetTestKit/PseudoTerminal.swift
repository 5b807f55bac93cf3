import CLinux
import Foundation
import Glibc

/// A program on a terminal of its own, as its session leader; the test is the keyboard and the screen.
public final class PseudoTerminal {
  /// The terminal's other end.
  public private(set) var master: Int32
  public private(set) var pid: pid_t = 0
  private var consumed = 0
  /// Everything that has come to the screen.
  public private(set) var screen = ""

  /// Starts the program with an environment of its own. `inherited` names the descriptors that it gets besides 0 to 2, by
  /// the numbers they get.
  public init(
    _ words: [String], environment: [String] = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TERM=dumb"],
    inherited: [Int32: Int32] = [:]
  ) throws {
    var name = [CChar](repeating: 0, count: 128)
    master = clinux_open_terminal(&name, name.count)
    guard master >= 0 else { throw TestKitError("no pseudo-terminal: \(clinux_errno())") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // In the new session, so that opening it makes it the controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    for (number, descriptor) in inherited { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
    pid = try spawnSession(
      words, environment: environment, &actions, closingFrom: max(2, inherited.keys.max() ?? 2) + 1)
  }

  deinit {
    if pid > 0 {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    hangUp()
  }

  /// Takes the terminal away, as a closed window does.
  public func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Reads until the screen has this text behind what was read up to before; returns what came up to its end.
  @discardableResult
  public func read(until text: String, within limit: Int32 = waitingLimit) throws -> String {
    let deadline = PAMHost.microseconds() + Int64(limit) * 1000
    while true {
      let unread = screen.dropFirst(consumed)
      if let found = unread.range(of: text) {
        consumed += unread.distance(from: unread.startIndex, to: found.upperBound)
        return String(unread[..<found.upperBound])
      }
      let rest = (deadline - PAMHost.microseconds()) / 1000
      guard rest > 0, try readMore(within: Int32(rest)) else {
        throw TestKitError("no \"\(text)\" on the screen: \(screen)")
      }
    }
  }

  /// Reads up to the end of the last program on the terminal.
  public func readToEnd(within limit: Int32 = waitingLimit) throws {
    while try readMore(within: limit) {}
  }

  /// The terminal's settings as they are now.
  public var settings: termios {
    var settings = termios()
    tcgetattr(master, &settings)
    return settings
  }

  public var echoes: Bool { settings.c_lflag & tcflag_t(ECHO) != 0 }

  /// Waits for a state of the terminal that no text on the screen tells of.
  public func wait(within limit: Int64 = Int64(waitingLimit), until isReached: (PseudoTerminal) -> Bool) throws {
    let deadline = PAMHost.microseconds() + limit * 1000
    while !isReached(self) {
      guard PAMHost.microseconds() < deadline else { throw TestKitError("the terminal did not change: \(screen)") }
      pauseBeforeNextLook()
    }
  }

  /// Waits for the program: its exit status, or the negative number of the signal that ended it.
  public func waitForExit(within limit: Int32 = waitingLimit) throws -> Int32 {
    let status = try SignetTestKit.waitForExit(of: pid, within: limit)
    pid = 0
    return status
  }

  /// False at the end.
  private func readMore(within limit: Int32) throws -> Bool {
    var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) > 0 else { throw TestKitError("nothing new on the screen: \(screen)") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master, &bytes, bytes.count)
    guard count > 0 else { return false }
    screen += String(decoding: bytes[..<count], as: UTF8.self)
    return true
  }
}

/// A program in a session of its own, without a terminal unless `actions` open one. It gets no descriptor from `least` on:
/// libpam, in other tests of this process, opens files without close-on-exec.
public func spawnSession(
  _ words: [String], environment: [String], _ actions: inout posix_spawn_file_actions_t, closingFrom least: Int32
) throws -> pid_t {
  guard clinux_spawn_close_from(&actions, least) == 0 else { throw TestKitError("posix_spawn: no memory") }
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  var all = sigset_t()
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80))
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for pointer in arguments + variables { free(pointer) } }
  var pid: pid_t = 0
  let error = posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, &variables)
  guard error == 0 else { throw TestKitError("\(words[0]): \(String(cString: strerror(error)))") }
  return pid
}
