import CLinux
import Glibc

/// What libpam made of one run.
struct Trial: Equatable {
  /// What pam_authenticate answered; `nil` where it crashed or never returned.
  var result: ReturnName?
  var steps: [Step] = []

  struct Step: Equatable {
    /// The entry's number.
    var number: Int
    /// libpam said that this line jumps beyond the end of the stack.
    var isBadJump = false
  }
}

/// The program that runs a copied stack, as often as it is told to. It is a process of its own, so that a stack that crashes
/// libpam does not take the command along.
final class Trials {
  private let program: String
  private let folder: String
  private var process: TrialProcess
  /// How long libpam may take for one run, in milliseconds. Far more than it needs: no stand-in waits for anything.
  private let limit: Int32 = 5000
  private(set) var count = 0

  init(program: String, folder: String) throws(StackError) {
    self.program = program
    self.folder = folder
    process = try TrialProcess(program: program, folder: folder)
    guard process.ask("", within: limit) == "ready" else { throw .noProgram(path: program, cause: EPROTO) }
  }

  /// Runs the stack once with these answers, one for each entry. Entries in `missing` have a module that cannot be loaded:
  /// libpam answers for them itself, and they are not in the trial's steps.
  func run(_ answers: [ReturnName], missing: Set<Int> = []) -> Trial {
    count += 1
    let words = answers.indices.map { missing.contains($0) ? "-" : answers[$0].rawValue }
    guard let reply = process.ask("run \(words.joined(separator: " "))", within: limit),
      let trial = Trial(reply: reply, entries: answers.count)
    else {
      restart()
      return Trial(result: nil)
    }
    return trial
  }

  /// Starts a new process after a crash. Where that fails, the next run has no answer either.
  private func restart() {
    guard let process = try? TrialProcess(program: program, folder: folder), process.ask("", within: limit) == "ready" else {
      return
    }
    self.process = process
  }
}

extension Trial {
  /// Reads a line of `signet-stack`: the result, then the numbers of the entries that ran, with `!` behind a bad jump.
  init?(reply: String, entries: Int) {
    var words = reply.split(separator: " ")[...]
    guard let first = words.popFirst(), let result = ReturnName(rawValue: String(first)) else { return nil }
    self.result = result
    for word in words {
      if word == "!" {
        guard !steps.isEmpty else { continue }
        steps[steps.count - 1].isBadJump = true
      } else {
        guard let number = Int(word), 0..<entries ~= number else { return nil }
        steps.append(Step(number: number))
      }
    }
  }
}

/// A running `signet-stack` and the pipes to it.
private final class TrialProcess {
  private var pid: pid_t = 0
  private let socket: Int32
  private var pending: [UInt8] = []

  init(program: String, folder: String) throws(StackError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw .noProgram(path: program, cause: clinux_errno())
    }
    socket = ends[0]
    let error = TrialProcess.spawn(program, folder, ends[1], &pid)
    close(ends[1])
    guard error == 0 else {
      close(socket)
      throw .noProgram(path: program, cause: error)
    }
  }

  deinit {
    close(socket)
    guard pid > 0 else { return }
    kill(pid, SIGKILL)
    _ = waitpid(pid, nil, 0)
  }

  /// Sends a line, unless it is empty, and returns the next line of the answer.
  func ask(_ line: String, within limit: Int32) -> String? {
    guard line.isEmpty || send(Array("\(line)\n".utf8)) else { return nil }
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let answer = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 1)
        return answer
      }
      guard pending.count < 1 << 16, receive(within: limit) else { return nil }
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, clinux_errno() == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func receive(within limit: Int32) -> Bool {
    var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&ready, 1, limit) == 1 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return false }
    pending += buffer[..<count]
    return true
  }

  /// Starts the program with an empty environment, the socket as standard input and output, and nothing else open.
  private static func spawn(_ program: String, _ folder: String, _ end: Int32, _ pid: inout pid_t) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return ENOMEM }
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDWR, 0)
    unsafe clinux_spawn_close_from(&actions, 3)
    return unsafe program.withCString { program in
      unsafe folder.withCString { folder in
        var words = unsafe [UnsafeMutablePointer(mutating: program), UnsafeMutablePointer(mutating: folder), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        return unsafe clinux_spawn(&pid, program, &actions, &words, &environment)
      }
    }
  }
}
