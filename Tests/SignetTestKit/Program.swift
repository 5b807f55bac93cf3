import CLinux
import Glibc

/// A program that a test runs: its descriptors are what the test gives it, nothing of the test's own.
public final class Program {
  /// Of the process; 0 once it was waited for.
  public private(set) var pid: pid_t = 0

  /// Starts `words[0]`, looked up in PATH where it has no slash.
  ///
  /// - Parameters:
  ///   - environment: the whole of it, as `NAME=value`.
  ///   - descriptors: the child's standard descriptors by number; those left out are /dev/null.
  public init(_ words: [String], environment: [String] = [], descriptors: [Int32: Int32] = [:]) throws {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for number: Int32 in [0, 1, 2] where descriptors[number] == nil {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    for (number, descriptor) in descriptors { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    let error = posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, &variables)
    guard error == 0 else { throw TestKitError("\(words[0]): \(String(cString: strerror(error)))") }
  }

  deinit {
    guard pid > 0 else { return }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  /// Runs it to its end: what it wrote to standard output.
  public static func output(_ words: [String], environment: [String] = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]) throws -> String {
    let lines = try Lines()
    let program = try Program(words, environment: environment, descriptors: [1: lines.writer])
    lines.readToEnd()
    guard try program.waitForExit() == 0 else { throw TestKitError("\(words): \(lines.text)") }
    return lines.text
  }

  public func signal(_ signal: Int32) { if pid > 0 { kill(pid, signal) } }

  /// Waits until it has ended: its exit status, or the negative number of the signal that ended it.
  public func waitForExit(within limit: Int32 = waitingLimit) throws -> Int32 {
    let status = try SignetTestKit.waitForExit(of: pid, within: limit)
    pid = 0
    return status
  }
}
