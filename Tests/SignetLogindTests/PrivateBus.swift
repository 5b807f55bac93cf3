import CLinux
import Glibc
import SignetTestKit

/// A bus of the test's own, without systemd behind it. It can be ended and started again at the same address.
final class PrivateBus {
  static let isAvailable =
    access("/usr/bin/dbus-daemon", X_OK) == 0 && access("/usr/lib/python3/dist-packages/gi", R_OK) == 0

  let folder: String
  var address: String { "unix:path=\(folder)/bus" }
  private var process: Program?

  init(start: Bool = true) throws {
    folder = try makeTemporaryFolder("bus")
    chmod(folder, 0o711)
    let file = fopen(folder + "/bus.conf", "we")
    guard let file else { throw TestKitError("\(folder)/bus.conf: \(errno)") }
    fputs(
      """
      <busconfig>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow receive_sender="*"/>
        </policy>
      </busconfig>
      """, file)
    fclose(file)
    if start { try self.start() }
  }

  deinit {
    process = nil
    removeTree(folder)
  }

  /// Starts it and waits until it listens.
  func start() throws {
    let lines = try Lines()
    process = try Program(
      ["dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address"],
      environment: ["PATH=/usr/bin:/bin"], descriptors: [1: lines.writer])
    try lines.read(until: "unix:path=")
  }

  func end() throws {
    process?.signal(SIGTERM)
    _ = try process?.waitForExit()
    process = nil
    unlink(folder + "/bus")
  }
}

/// A program that says line by line what it does, and may be told what to do next.
final class Talker {
  let program: Program
  private let input: Int32
  private let output: Int32
  private var unread = ""

  /// `descriptor` is what it talks on, besides standard error.
  init(_ words: [String], environment: [String] = [], talksOn descriptor: Int32) throws {
    var (towards, back): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard clinux_pipe(&towards) == 0, clinux_pipe(&back) == 0 else { throw TestKitError("pipe: \(errno)") }
    defer { for end in [towards[0], back[1]] { close(end) } }
    (input, output) = (towards[1], back[0])
    var descriptors: [Int32: Int32] = [0: towards[0], 2: back[1]]
    descriptors[descriptor] = back[1]
    program = try Program(words, environment: environment, descriptors: descriptors)
  }

  deinit {
    close(input)
    close(output)
  }

  func say(_ line: String) throws {
    let bytes = Array((line + "\n").utf8)
    guard write(input, bytes, bytes.count) == bytes.count else { throw TestKitError("it does not listen: \(errno)") }
  }

  /// Reads on until a line that contains this; returns it. Lines before it are passed over, never those behind it.
  @discardableResult func line(with text: String, within limit: Int32 = 20_000) throws -> String {
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

/// fake_logind.py: somebody on the bus, who is logind once told to be.
final class Somebody {
  private let talker: Talker

  init(on bus: PrivateBus, as launcher: [String] = []) throws {
    let script = #filePath.dropLast("PrivateBus.swift".count) + "fake_logind.py"
    talker = try Talker(
      launcher + ["/usr/bin/python3", "-B", String(script), bus.address], environment: ["PATH=/usr/bin:/bin"], talksOn: 1)
    try talker.line(with: "ready")
  }

  func does(_ command: String) throws {
    try talker.say(command)
    try talker.line(with: "done")
  }
}
