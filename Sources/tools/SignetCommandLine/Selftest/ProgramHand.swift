import CLinux
import Glibc
import SignetBytes
import SignetMemory
import SignetScenarios
import SignetWords

/// A program that plays the hand: it gets one gesture a line on its standard input and answers a line each on its standard output,
/// `ok` or `cannot:` and the reason. It ends when its input ends.
///
/// To `passcode?` it answers `ok` where it knows the passcode; to `passcode` then with a line that is the passcode.
final class ProgramHand: Hand {
  let isPerson = false
  private(set) var knowsPasscode = false
  private let socket: Int32
  private let pid: pid_t

  /// How long it may take for one gesture, in milliseconds: a machine that sleeps and wakes is slow.
  private static let gestureTimeout: Int32 = 120_000

  init(_ path: String) throws(CommandFailure) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw CommandFailure(.refused, ObstacleText.exhausted(errno))
    }
    do throws(CommandFailure) { pid = try ProgramHand.start(path, ends[1]) } catch {
      for end in ends { close(end) }
      throw error
    }
    // Now, so that the program's end is seen as one.
    close(ends[1])
    socket = ends[0]
    knowsPasscode = (try? ask("passcode?")) == "ok"
  }

  deinit {
    close(socket)
    waitpid(pid, nil, 0)
  }

  func perform(_ gesture: Gesture) throws(Stop) {
    let answer = try ask(gesture.line)
    if answer == "ok" { return }
    guard answer.hasPrefix("cannot: ") else { throw .wrong(SelftestText.handAnswered(gesture.line, answer)) }
    throw .cannot("\(answer.dropFirst("cannot: ".count))")
  }

  func enterPasscode(into answer: inout SecretBytes) throws(Stop) {
    guard knowsPasscode else { throw .cannot(SelftestText.noPasscode) }
    try say("passcode")
    try hear("passcode", into: &answer)
  }

  private func ask(_ line: String) throws(Stop) -> String {
    guard var answer = SecretBytes(capacity: 1024) else { throw .cannot("\(ObstacleText.noMemory)") }
    try say(line)
    try hear(line, into: &answer)
    return Printable.text(String(decoding: Array(copying: answer.span), as: UTF8.self))
  }

  private func say(_ line: String) throws(Stop) {
    let bytes = Array((line + "\n").utf8)
    let sent = unsafe send(socket, bytes, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    guard sent == bytes.count else { throw .wrong(SelftestText.handSilent(line)) }
  }

  /// Reads a line, without its newline, byte after byte: what follows is another answer.
  private func hear(_ line: String, into answer: inout SecretBytes) throws(Stop) {
    answer.removeAll()
    while true {
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      guard unsafe poll(&ready, 1, ProgramHand.gestureTimeout) == 1, unsafe recv(socket, &byte, 1, 0) == 1 else {
        throw .wrong(SelftestText.handSilent(line))
      }
      if byte == UInt8(ascii: "\n") { return }
      guard answer.append(byte) else { throw .wrong(SelftestText.handSilent(line)) }
    }
  }

  private static func start(_ path: String, _ socket: Int32) throws(CommandFailure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for number: Int32 in [0, 1] { unsafe posix_spawn_file_actions_adddup2(&actions, socket, number) }
    var words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(path), nil]
    defer { unsafe free(words[0]) }
    var pid: pid_t = 0
    let error = unsafe clinux_spawn(&pid, path, &actions, &words, environ)
    guard error == 0 else { throw CommandFailure(.refused, SelftestText.noHand(path, error)) }
    return pid
  }
}
