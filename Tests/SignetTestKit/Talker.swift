import CLinux
import Glibc

/// A program that says line by line what it does, and may be told what to do next.
public final class Talker {
  public let program: Program
  private var input: Int32
  private let output: Int32
  private var unread = ""

  /// `descriptor` is what it talks on, besides standard error.
  public init(_ words: [String], environment: [String] = [], talksOn descriptor: Int32) throws {
    var (towards, back): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard clinux_pipe(&towards) == 0, clinux_pipe(&back) == 0 else { throw TestKitError("pipe: \(errno)") }
    defer { for end in [towards[0], back[1]] { close(end) } }
    (input, output) = (towards[1], back[0])
    var descriptors: [Int32: Int32] = [0: towards[0], 2: back[1]]
    descriptors[descriptor] = back[1]
    program = try Program(words, environment: environment, descriptors: descriptors)
  }

  deinit {
    hangUp()
    close(output)
  }

  public func say(_ line: String) throws {
    let bytes = Array((line + "\n").utf8)
    guard write(input, bytes, bytes.count) == bytes.count else { throw TestKitError("it does not listen: \(errno)") }
  }

  /// It reads the end of its input.
  public func hangUp() {
    guard input >= 0 else { return }
    close(input)
    input = -1
  }

  /// Reads on until a line that contains this; returns it. Lines before it are passed over, never those behind it.
  @discardableResult public func line(with text: String, within limit: Int32 = waitingLimit) throws -> String {
    var passed = ""
    while true {
      while let end = unread.firstIndex(of: "\n") {
        let line = String(unread[..<end])
        unread = String(unread[unread.index(after: end)...])
        if line.contains(text) { return line }
        passed += line + "\n"
      }
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, limit) == 1 else { throw TestKitError("no line with `\(text)`, only:\n\(passed)") }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { throw TestKitError("ended without `\(text)`:\n\(passed)") }
      unread += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }
}
