import CLinux
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire

/// A run of the real `signet`.
struct Signet {
  var status: Int32
  /// What came to standard output.
  var bytes: [UInt8]
  var errors: String

  var output: String { String(decoding: bytes, as: UTF8.self) }

  static func path() throws -> String { try ReaderChannel.program("signet") }

  static let environment = ["PATH=/usr/bin:/bin", "TZ=UTC", "TERM=dumb"]

  /// Runs it to its end, without a terminal; its standard input is /dev/null, or has these bytes. `output` replaces the pipe
  /// that its standard output goes to; of a variable that is given twice `environment` counts.
  static func run(
    _ words: [String], input: [UInt8]? = nil, output: Int32? = nil, environment: [String] = []
  ) throws -> Signet {
    let (into, out, errors) = (try Pipe(), try Pipe(), try Pipe())
    var descriptors: [Int32: Int32] = [1: output ?? out.writing, 2: errors.writing]
    if let input {
      try into.write(input)
      descriptors[0] = into.reading
    }
    into.closeWriting()
    let program = try Program([path()] + words, environment: environment + Signet.environment, descriptors: descriptors)
    out.closeWriting()
    errors.closeWriting()
    let texts = try (out.readBytes(), errors.readToEnd())
    return Signet(status: try program.waitForExit(), bytes: texts.0, errors: texts.1)
  }

  /// The same, against a scripted signetd whose script must be used up.
  static func run(
    _ words: [String], input: [UInt8]? = nil, with daemon: ScriptedDaemon, environment: [String] = []
  ) throws -> Signet {
    let run = try run(words + ["--socket", daemon.path], input: input, environment: environment)
    try daemon.finish()
    return run
  }
}

/// A pipe whose ends are closed with it.
final class Pipe {
  private(set) var reading: Int32
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
    closeReading()
    closeWriting()
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Whether something was written that nobody has read.
  var holdsUnread: Bool {
    var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) == 1
  }

  /// Reads until the other ends are closed. Outputs here are shorter than a pipe holds, so their order does not matter.
  func readToEnd(within limit: Int32 = waitingLimit) throws -> String {
    String(decoding: try readBytes(within: limit), as: UTF8.self)
  }

  func readBytes(within limit: Int32 = waitingLimit) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try read(within: limit) { bytes += more }
    return bytes
  }

  /// Writes no more than it holds.
  func write(_ bytes: [UInt8]) throws {
    guard send(writing, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == bytes.count || bytes.isEmpty else {
      throw TestKitError("pipe: \(errno)")
    }
  }

  /// Reads until this text has come, and returns all since the last call.
  func read(until text: String, within limit: Int32 = waitingLimit) throws -> String {
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

/// What is looked at before the fingers change: a vault without items.
let emptyVault: [ScriptedDaemon.Step] = [.expect(.vaultList), .done]

extension ScriptedDaemon.Step {
  static func reply(_ reply: AdministrationReply) -> ScriptedDaemon.Step { .send(bytes { try reply.write(into: &$0) }) }

  /// A part of a released value.
  static func value(_ part: [UInt8], of total: Int) -> ScriptedDaemon.Step {
    .send(bytes { try ValueReply(total: UInt32(total), part: part.span).write(into: &$0) })
  }

  static var done: ScriptedDaemon.Step { .reply(.done) }

  static func bytes(_ write: (inout SecretBytes) throws -> Void) -> [UInt8] {
    guard var packet = SecretBytes(capacity: PacketLimit.packet), (try? write(&packet)) != nil else { return [] }
    return Array(copying: packet.span)
  }
}

/// What a request of the command line says.
func request(_ packet: [UInt8]) throws -> AdministrationRequest {
  var fields = ByteReader(packet.span)
  guard let kind = RequestKind(rawValue: try fields.header()) else { throw FormatError.badValue }
  return try AdministrationRequest(kind: kind, parsing: fields)
}

/// What a request about a vault says.
func vaultRequest(_ packet: [UInt8]) throws -> VaultRequest {
  var fields = ByteReader(packet.span)
  guard let kind = RequestKind(rawValue: try fields.header()) else { throw FormatError.badValue }
  return try VaultRequest(kind: kind, parsing: fields)
}

/// The bytes that the parts of a value have together; each but the last has to be full.
func value(_ packets: ArraySlice<[UInt8]>) throws -> [UInt8] {
  var bytes: [UInt8] = []
  for packet in packets {
    guard bytes.count % PacketLimit.valuePart == 0 else { throw TestKitError("a part behind one that is not full") }
    var fields = ByteReader(packet.span)
    _ = try fields.header()
    bytes += Array(copying: try ValueRequest(parsing: fields).part)
  }
  return bytes
}
