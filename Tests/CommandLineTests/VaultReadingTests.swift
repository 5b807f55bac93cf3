import CLinux
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// `signet vault get` into a pipe.
@Suite struct VaultReadingTests {
  private static func parts(_ value: [UInt8]) -> [ScriptedDaemon.Step] {
    stride(from: 0, to: max(1, value.count), by: PacketLimit.valuePart).map {
      .value(Array(value[$0..<min($0 + PacketLimit.valuePart, value.count)]), of: value.count)
    }
  }

  @Test(arguments: [0, 1, 3968, 3969, 65_536]) func `exactly the bytes of the value come out`(count: Int) throws {
    let value = Array(VaultStoringTests.bytes[..<count])
    let daemon = try ScriptedDaemon([[.expect(.vaultRead), .reply(.heartbeat)] + VaultReadingTests.parts(value) + [.done]])
    let run = try Signet.run(["vault", "get", "web", "alice", "--user", "bob"], with: daemon)
    #expect(run.status == 0)
    #expect(run.bytes == value)
    #expect(run.errors.isEmpty)
    let name = ItemName(service: "web", account: "alice")
    #expect(try vaultRequest(daemon.finish()[0][0]) == .read(user: "bob", name))
  }

  @Test func `what a finger is asked for is told on standard error`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.vaultRead), .reply(.show(.touchReader, value: 0, detail: "")), .reply(.heartbeat),
      .reply(.show(.notRecognised, value: 2, detail: "")), .value([7], of: 1), .done,
    ])
    let run = try Signet.run(["vault", "get", "web"], with: daemon)
    #expect(run.bytes == [7])
    #expect(run.errors == "Touch the fingerprint reader\nFingerprint not recognised, 2 attempts left\n")
  }

  private static let broken: [[ScriptedDaemon.Step]] = [
    [.done], [.value([1, 2], of: 3), .done], [.value([1, 2], of: 2)], [.value([1], of: 2), .value([2], of: 3), .done],
    [.value([1], of: 2), .value([2, 3], of: 2), .done], [.value([], of: 0), .value([], of: 0), .done],
    [.value([1], of: 1), .value([1], of: 1), .done], [.value([1], of: 1), .reply(.askValue)],
    [.send([1, 69, 1, 0, 0, 0, 2, 0, 1, 2]), .done], [.send([1, 69]), .done], [.send([2, 69, 0, 0, 0, 0, 0, 0]), .done],
    [.send([1, 69, 1, 0, 1, 0, 1, 0, 1]), .done], [.value([1, 2], of: 3)],
  ]

  @Test(arguments: broken) func `of a value that is not whole nothing comes out`(steps: [ScriptedDaemon.Step]) throws {
    let run = try Signet.run(["vault", "get", "web", "--socket", ScriptedDaemon([[.expect(.vaultRead)] + steps]).path])
    #expect(run.status == 3)
    #expect(run.bytes.isEmpty)
    #expect(run.errors.hasPrefix("signet: "))
  }

  @Test(
    arguments: [
      (Refusal.notFound, 1), (.fingersChanged, 1), (.passcodeFailed, 1), (.vaultUnavailable(.damaged("/key")), 4),
      (.readerUnavailable, 5),
      (.permissionDenied, 6),
    ] as [(Refusal, Int32)])
  func `a refusal has its status, also behind a part`(refusal: Refusal, status: Int32) throws {
    let daemon = try ScriptedDaemon([.expect(.vaultRead), .value([1], of: 2), .reply(.refused(refusal))])
    let run = try Signet.run(["vault", "get", "web"], with: daemon)
    #expect(run.status == status)
    #expect(run.bytes.isEmpty)
    #expect(run.errors.hasPrefix("signet: "))
  }

  @Test func `a reader that goes away, and a full disk, are told of`() throws {
    let value = VaultStoringTests.bytes.dropLast()
    let gone = try Pipe()
    gone.closeReading()
    let full = clinux_open("/dev/full", O_WRONLY | O_CLOEXEC, 0)
    defer { close(full) }
    for (output, words) in [(gone.writing, "Broken pipe"), (full, "No space left on device")] {
      let daemon = try ScriptedDaemon([[.expect(.vaultRead)] + VaultReadingTests.parts(Array(value)) + [.done]])
      let run = try Signet.run(["vault", "get", "web", "--socket", daemon.path], output: output)
      #expect(run.status == 1)
      #expect(run.errors == "signet: standard output: \(words). The secret was not written whole.\n")
    }
  }

  /// A pipe that does not block, as some shells and runtimes leave it.
  @Test func `a slow reader gets all of it`() throws {
    let value = Array(VaultStoringTests.bytes.dropLast())
    let daemon = try ScriptedDaemon([[.expect(.vaultRead)] + VaultReadingTests.parts(value) + [.done]])
    let output = try Pipe()
    var size: Int32 = 4096
    try #require(setsockopt(output.writing, SOL_SOCKET, SO_SNDBUF, &size, 4) == 0)
    try #require(fcntl(output.writing, F_SETFL, O_NONBLOCK) == 0)
    let program = try Program(
      [Signet.path(), "vault", "get", "web", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [1: output.writing])
    output.closeWriting()
    #expect(try output.readBytes() == value)
    #expect(try program.waitForExit() == 0)
  }

  @Test func `an interrupt cancels at signetd, and nothing comes out`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.vaultRead), .reply(.show(.touchReader, value: 0, detail: "")), .expect(.cancel), .value([1], of: 1), .done,
    ])
    let (output, errors) = (try Pipe(), try Pipe())
    let program = try Program(
      [Signet.path(), "vault", "get", "web", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [1: output.writing, 2: errors.writing])
    output.closeWriting()
    _ = try errors.read(until: "Touch the fingerprint reader")
    program.signal(SIGINT)
    #expect(try output.readBytes().isEmpty)
    #expect(try program.waitForExit() == 130)
    try daemon.finish()
  }
}
