import CCrypto
import CLinux
import Foundation
import Glibc
import SignetBytes
import SignetPasskey
import SignetTestKit
import SignetVocabulary
import SignetWire

/// signet-passkey with a real signetd, an open vault and a virtual reader behind it, and the host's end of its device.
final class PasskeyWorld {
  let scene: Scene
  private let errors: Lines
  private var program: Program
  private var host: Int32
  private(set) var channel: UInt32 = 0xFFFF_FFFF
  /// What was said while a command took longer.
  private(set) var keepalives: Set<UInt8> = []

  /// - Parameters:
  ///   - words: more of its command line.
  ///   - answers: whether whoever is asked for the passcode types it.
  init(_ words: [String] = [], answers: Bool = true) throws {
    scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
    try scene.daemon.write("passcode", RunningDaemon.passcode)
    errors = try Lines()
    (program, host) = try PasskeyWorld.started(scene, errors, words, answers: answers)
    try open()
  }

  /// The program behind these words, and the host's end of its device.
  private static func started(
    _ scene: Scene, _ errors: Lines, behind launcher: [String] = [], _ words: [String] = [], answers: Bool = true
  ) throws -> (Program, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TestKitError("no sockets")
    }
    defer { close(ends[1]) }
    let tests = String(#filePath.dropLast("SignetPasskeyTests/PasskeyWorld.swift".count))
    let program = try Program(
      launcher + [try ReaderChannel.program("signet-passkey"), "--socket", scene.daemon.socket, "--descriptor", "3"] + words,
      environment: [
        "PATH=/usr/bin:/bin", "DISPLAY=:77", "SIGNET_PROMPT=\(tests)libsignetTests/prompt.py",
        "SIGNET_TEST_FOLDER=\(scene.daemon.folder)", "SIGNET_TEST_MODE=\(answers ? "obey" : "silent")",
      ], descriptors: [2: errors.writer, 3: ends[1]])
    return (program, ends[0])
  }

  /// Gets a channel.
  func open() throws {
    channel = 0xFFFF_FFFF
    let answer = try transact(0x86, [1, 2, 3, 4, 5, 6, 7, 8])
    channel = answer[8..<12].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The program is killed, where it is not already, and started anew.
  func restart(behind launcher: [String] = []) throws {
    if !isTraced { program.signal(SIGKILL) }
    close(host)
    _ = try program.waitForExit()
    isTraced = !launcher.isEmpty
    (program, host) = try PasskeyWorld.started(scene, errors, behind: launcher)
    try open()
  }

  var pid: pid_t { program.pid }
  /// Then `program` is strace, without which it would go on.
  private var isTraced = false

  deinit { if !isHostGone { close(host) } }

  private var isHostGone = false

  /// The host leaves; the program's exit status.
  func leave() throws -> Int32 {
    isHostGone = true
    close(host)
    return try program.waitForExit()
  }

  // MARK: The host

  func begin(_ command: UInt8, _ message: [UInt8]) throws {
    for packet in packets(channel, command, message) {
      guard send(host, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count else { throw TestKitError("not sent") }
    }
  }

  /// What signet-hid says when no program has the device open any more.
  func closeNode() throws {
    guard send(host, [0], 1, Int32(MSG_NOSIGNAL)) == 1 else { throw TestKitError("not sent") }
  }

  /// The next report.
  func next() throws -> [UInt8] {
    var report = [UInt8](repeating: 0, count: 65)
    var ready = pollfd(fd: host, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, waitingLimit) > 0 else { throw TestKitError("no report: \(shown)") }
    let count = recv(host, &report, report.count, 0)
    guard count == 64 else { throw TestKitError("a report of \(count) bytes: \(errors.text)") }
    return Array(report.prefix(64))
  }

  /// The message that answers, whatever its command.
  func answer() throws -> [UInt8] {
    while true {
      let first = try next()
      if first[4] == 0xBB {
        keepalives.insert(first[7])
        continue
      }
      let length = Int(first[5]) << 8 | Int(first[6])
      var message = Array(first[7...])
      while message.count < length { message += try next()[5...] }
      return Array(message.prefix(length))
    }
  }

  func transact(_ command: UInt8, _ message: [UInt8]) throws -> [UInt8] {
    try begin(command, message)
    return try answer()
  }

  /// Waits until the program says that it waits for the user.
  func awaitKeepalive() throws {
    while true {
      let report = try next()
      guard report[4] == 0xBB else { throw TestKitError("\(report)") }
      if report[7] == 2 { return }
    }
  }

  // MARK: Commands

  func begin(_ command: UInt8, _ request: CBOR?) throws { try begin(0x90, [command] + (request?.encoded ?? [])) }

  func commandAnswer() throws -> (status: Status?, value: CBOR) {
    let bytes = try answer()
    let value = bytes.count > 1 ? try CBOR(Array(bytes.dropFirst())) : .map([])
    return (bytes.first.flatMap { Status(rawValue: $0) }, value)
  }

  /// A command, which asks nobody.
  func ask(_ command: UInt8, _ request: CBOR? = nil) throws -> (status: Status?, value: CBOR) {
    try begin(command, request)
    return try commandAnswer()
  }

  /// A command for which the owner touches the reader.
  func ask(_ command: UInt8, _ request: CBOR? = nil, touching finger: String) throws -> (status: Status?, value: CBOR) {
    let before = armings
    try begin(command, request)
    try awaitArming(after: before)
    try scene.reader.scan(finger)
    return try commandAnswer()
  }

  // MARK: The prompt

  var shown: String { (try? String(contentsOfFile: scene.daemon.folder + "/prompt.log", encoding: .utf8)) ?? "" }
  /// How often the owner was asked.
  var prompts: Int { shown.components(separatedBy: "started ").count - 1 }
  /// How often the reader waited for a finger.
  var armings: Int { shown.components(separatedBy: "show 1\n").count - 1 }

  func awaitArming(after count: Int) throws { try SignetTestKit.wait(for: "the reader to be armed") { armings > count } }

  /// What `signet lock` does.
  func closeVault() throws {
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("not locked") }
  }

  /// What signetd says to whoever asks it without the device.
  func derived(from salts: [UInt8], with passkey: MadePasskey) throws -> [UInt8] {
    let request = VaultRequest.derive(user: "", .passkey(passkey.name.hexadecimal), salts: salts)
    let answer = try scene.daemon.connect().ask(request, Proving(touch: { [scene] in try scene.reader.scan("right") }))
    guard answer.end == .done, let value = answer.value else { throw TestKitError("\(answer)") }
    return value
  }

  // MARK: Requests

  static let hash = [UInt8](repeating: 0xC1, count: 32)

  static func make(
    _ site: String = "example.org", user: String = "alice", options: CBOR? = .named([("rk", .bool(true))]),
    excluded: [[UInt8]]? = nil,
    extensions: CBOR? = nil, proof: [UInt8]? = nil, version: Int = 2
  ) -> CBOR {
    .numbered([
      (1, .bytes(hash)), (2, .named([("id", .text(site)), ("name", .text("Example"))])),
      (3, .named([("id", .bytes(Array(user.utf8))), ("name", .text(user)), ("displayName", .text(user.uppercased()))])),
      (
        4,
        .array([
          .named([("alg", .int(-8)), ("type", .text("public-key"))]), .named([("alg", .int(-7)), ("type", .text("public-key"))]),
        ])
      ),
      (5, excluded.map { .array($0.map { Answer.descriptor($0) }) }), (6, extensions), (7, options),
      (8, proof.map { .bytes($0) }),
      (9, proof.map { _ in .int(version) }),
    ])
  }

  static func use(
    _ site: String = "example.org", allowed: [[UInt8]]? = nil, extensions: CBOR? = nil, options: CBOR? = nil,
    proof: [UInt8]? = nil, version: Int = 2
  ) -> CBOR {
    .numbered([
      (1, .text(site)), (2, .bytes(hash)), (3, allowed.map { .array($0.map { Answer.descriptor($0) }) }),
      (4, extensions), (5, options),
      (6, proof.map { .bytes($0) }), (7, proof.map { _ in .int(version) }),
    ])
  }

  /// Makes one, by a touch.
  func made(_ site: String = "example.org", user: String = "alice", extensions: CBOR? = nil) throws -> MadePasskey {
    let answer = try ask(1, PasskeyWorld.make(site, user: user, extensions: extensions), touching: "right")
    guard answer.status == .success else { throw TestKitError("\(answer)") }
    return try MadePasskey(answer.value)
  }
}

/// What makeCredential answered.
struct MadePasskey {
  let data: [UInt8]
  let signature: [UInt8]
  let name: [UInt8]
  let point: [UInt8]
  let format: CBOR?

  init(_ value: CBOR) throws {
    format = value[1]
    data = try value[2]?.asBytes() ?? []
    signature = try value[3]?["sig"]?.asBytes() ?? []
    guard data.count > 87 else { throw TestKitError("\(value)") }
    name = Array(data[55..<87])
    // A map of five: 1: 2, 3: -7, -1: 1, -2: x, -3: y.
    point = Array(data[97..<129] + data[132..<164])
  }

  func signed(_ signature: [UInt8], over data: [UInt8]) -> Bool {
    let message = data + PasskeyWorld.hash
    var digest = [UInt8](repeating: 0, count: 32)
    guard ccrypto_hash(message, message.count, &digest, 32) == CCRYPTO_OK else { return false }
    return ces256_verify_digest(point, digest, signature, signature.count) == CCRYPTO_OK
  }
}
