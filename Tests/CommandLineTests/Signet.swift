import CLinux
import Glibc
import SignetMemory
import SignetTestKit
import SignetWire

/// A run of the real `signet`.
struct Signet {
  var status: Int32
  var output: String
  var errors: String

  static func path() throws -> String { try ReaderChannel.program("signet") }

  static let environment = ["PATH=/usr/bin:/bin", "TZ=UTC", "TERM=dumb"]

  /// Runs it to its end, without a terminal. `output` replaces the pipe that its standard output goes to.
  static func run(_ words: [String], output: Int32? = nil) throws -> Signet {
    let out = try Pipe()
    let errors = try Pipe()
    let program = try Program(
      [path()] + words, environment: environment, descriptors: [1: output ?? out.writing, 2: errors.writing])
    out.closeWriting()
    errors.closeWriting()
    let texts = try (out.readToEnd(), errors.readToEnd())
    return Signet(status: try program.waitForExit(), output: texts.0, errors: texts.1)
  }

  /// The same, against a scripted signetd whose script must be used up.
  static func run(_ words: [String], with daemon: ScriptedDaemon) throws -> Signet {
    let run = try run(words + ["--socket", daemon.path])
    try daemon.finish()
    return run
  }
}

/// A pipe whose ends are closed with it.
final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    // Not pipe(2): programs that other tests start at this moment would inherit its ends, and hold them open.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TestKitError("socketpair: \(clinux_errno())")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    closeWriting()
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Reads until the other ends are closed. Outputs here are shorter than a pipe holds, so their order does not matter.
  func readToEnd(within limit: Int32 = 20_000) throws -> String {
    var bytes: [UInt8] = []
    while let more = try read(within: limit) { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads until this text has come, and returns all since the last call.
  func read(until text: String, within limit: Int32 = 20_000) throws -> String {
    var all = ""
    while !all.contains(text) {
      guard let more = try read(within: limit) else { throw TestKitError("no \"\(text)\" in: \(all)") }
      all += String(decoding: more, as: UTF8.self)
    }
    return all
  }

  private func read(within limit: Int32) throws -> [UInt8]? {
    var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) == 1 else { throw TestKitError("nothing to read within \(limit) ms") }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(reading, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}

extension ScriptedDaemon.Step {
  static func reply(_ reply: AdministrationReply) -> ScriptedDaemon.Step { .send(bytes { try reply.write(into: &$0) }) }

  static var done: ScriptedDaemon.Step { .reply(.done) }

  static func bytes(_ write: (inout SecretBytes) throws -> Void) -> [UInt8] {
    guard var packet = SecretBytes(capacity: WireLimit.packet), (try? write(&packet)) != nil else { return [] }
    return Array(copying: packet.span)
  }
}

/// What a request of the command line says.
func request(_ packet: [UInt8]) throws -> AdministrationRequest {
  var fields = WireReader(packet.span)
  guard let kind = RequestKind(rawValue: try fields.header()) else { throw WireError.badValue }
  return try AdministrationRequest(kind: kind, parsing: fields)
}
