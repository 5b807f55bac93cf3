import CLinux
import Glibc
import SignetMemory
import SignetVocabulary
import SignetWords

/// The desktop's clipboard, by a program that is installed for it. A value goes to it by standard input only.
struct Clipboard {
  private let program: String
  private let filling: [String]
  private let reading: [String]
  private let clearing: [String]
  private let hasHint: Bool

  /// The one for this session's desktop.
  static func ofDesktop() throws(CommandFailure) -> Clipboard {
    let (onWayland, onX) = (isSet("WAYLAND_DISPLAY"), isSet("DISPLAY"))
    guard onWayland || onX else { throw CommandFailure(.refused, ItemUseText.noClipboard) }
    if onWayland, let program = path(of: "wl-copy"), let reader = path(of: "wl-paste") {
      return Clipboard(
        program: program, filling: [program], reading: [reader, "--no-newline"], clearing: [program, "--clear"], hasHint: true)
    }
    if onX, let program = path(of: "xclip") {
      let place = [program, "-selection", "clipboard"]
      return Clipboard(
        program: program, filling: place + ["-in"], reading: place + ["-out"], clearing: place + ["-in"], hasHint: false)
    }
    if onX, let program = path(of: "xsel") {
      let place = [program, "--clipboard"]
      return Clipboard(
        program: program, filling: place + ["--input"], reading: place + ["--output"], clearing: place + ["--clear"],
        hasHint: false)
    }
    throw CommandFailure(.refused, ItemUseText.noClipboardProgram(onWayland ? "wl-clipboard" : "xclip"))
  }

  func fill(_ value: borrowing Span<UInt8>) throws(CommandFailure) {
    let hint = hasHint && Clipboard.marksSecrets(program) ? ["--sensitive"] : []
    guard let child = ChildProgram.start(filling + hint) else { throw failure }
    child.write(value)
    guard child.end() else { throw failure }
  }

  /// Empties it where it still has this value, and no other.
  func clear(of value: borrowing Span<UInt8>) {
    guard let child = ChildProgram.start(reading), var held = SecretBytes(capacity: ItemLimit.value + 1) else { return }
    let isRead = child.read(into: &held)
    _ = child.end()
    guard isRead, held.span.isEqual(to: value), let clearing = ChildProgram.start(clearing) else { return }
    _ = clearing.end()
  }

  private var failure: CommandFailure { CommandFailure(.refused, ItemUseText.clipboardFailed(program)) }

  /// Whether it can tell clipboards' histories (`x-kde-passwordManagerHint`) not to keep it.
  private static func marksSecrets(_ program: String) -> Bool {
    guard let child = ChildProgram.start([program, "--help"]), var text = SecretBytes(capacity: 16_384) else { return false }
    _ = child.read(into: &text)
    _ = child.end()
    return String(decoding: Array(copying: text.span), as: UTF8.self).contains("--sensitive")
  }

  private static func isSet(_ variable: String) -> Bool { unsafe getenv(variable).map { unsafe $0.pointee != 0 } ?? false }

  private static func path(of program: String) -> String? {
    let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").lazy.map { "\($0)/\(program)" }.first { unsafe access($0, X_OK) == 0 }
  }
}

/// A program that was started for the clipboard.
final class ChildProgram {
  private let pid: pid_t
  private let socket: Int32

  /// How long it may be silent, in milliseconds: whoever has the clipboard may have stopped.
  private static let silence: Int32 = 5_000

  /// Starts a program whose standard input and output are the other end of a socket. What it leaves running holds nothing of ours.
  static func start(_ words: [String]) -> ChildProgram? {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    guard let pid = spawn(words, descriptor: ends[1]) else {
      close(ends[0])
      return nil
    }
    return ChildProgram(pid, ends[0])
  }

  /// Starts a program: on this terminal, or apart from it where it has a descriptor for its standard input and output. `nil`, with
  /// errno, where it does not start. It begins with no signal ignored, unless it is to keep those that this process ignores.
  static func spawn(_ words: [String], descriptor: Int32? = nil, keepsSignals: Bool = false) -> pid_t? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let descriptor {
      for number: Int32 in [0, 1] { unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
      unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    var list: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe list.indices { unsafe free(list[index]) } }
    var pid: pid_t = 0
    let error =
      keepsSignals
      ? unsafe posix_spawn(&pid, words[0], &actions, nil, &list, environ)
      : unsafe clinux_spawn(&pid, words[0], &actions, &list, environ)
    errno = error
    return error == 0 ? pid : nil
  }

  /// A command takes the place of this process; returns where it cannot, with the statuses of env(1).
  static func become(_ command: [String]) -> CommandFailure {
    let words = unsafe command.map { unsafe strdup($0) } + [nil]
    unsafe execvp(command[0], words)
    return CommandFailure(errno == ENOENT ? .commandMissing : .commandUnusable, ItemUseText.notRun(command[0], errno))
  }

  private init(_ pid: pid_t, _ socket: Int32) { (self.pid, self.socket) = (pid, socket) }

  deinit { close(socket) }

  /// Writes all of it, and the end.
  func write(_ value: borrowing Span<UInt8>) {
    unsafe value.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe send(socket, rest.baseAddress, rest.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
        if count <= 0 { break }
        written += count
      }
    }
    _ = shutdown(socket, Int32(SHUT_WR))
  }

  /// Reads to the end of its output; false where that did not come, or does not fit.
  func read(into bytes: inout SecretBytes) -> Bool {
    _ = shutdown(socket, Int32(SHUT_WR))
    var isWhole = false
    let count = unsafe bytes.replace { buffer in
      var filled = 0
      while filled < buffer.count {
        var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, ChildProgram.silence) == 1 else { break }
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let count = unsafe recv(socket, rest.baseAddress, rest.count, 0)
        if count <= 0 {
          isWhole = count == 0
          break
        }
        filled += count
      }
      return filled
    }
    if !isWhole { kill(pid, SIGKILL) }
    return isWhole && count >= 0
  }

  /// Waits for its end; whether that was a good one.
  func end() -> Bool {
    _ = shutdown(socket, Int32(SHUT_WR))
    var status: Int32 = -1
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }
}
