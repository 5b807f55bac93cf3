import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// `signet vault add` and `update` without a terminal: what is read, and what is sent.
@Suite struct VaultStoringTests {
  static let bytes = (0..<65_537).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  private static let web = ItemName(service: "web", account: "")
  private static let usual = Item(web, accessControl: AccessControl(.userPresence), accessibility: .whenUnlocked)

  private static func daemon(_ kind: RequestKind = .vaultAdd, parts: Int) throws -> ScriptedDaemon {
    let values = Array(repeating: ScriptedDaemon.Step.expect(.value), count: parts)
    return try ScriptedDaemon([.expect(kind), .reply(.heartbeat), .reply(.askValue)] + values + [.done])
  }

  @Test(arguments: [(1, 1), (3967, 1), (3968, 1), (3969, 2), (7936, 2), (65_535, 17), (65_536, 17)])
  func `exactly the bytes of standard input are stored, in full parts`(count: Int, parts: Int) throws {
    let input = Array(VaultStoringTests.bytes[..<count])
    let daemon = try VaultStoringTests.daemon(parts: parts)
    let run = try Signet.run(["vault", "add", "web"], input: input, with: daemon)
    #expect(run.status == 0)
    #expect(run.output == "Stored web.\n")
    let sent = try daemon.finish()[0]
    #expect(try vaultRequest(sent[0]) == .add(user: "", VaultStoringTests.usual, length: UInt32(count)))
    #expect(try value(sent[1...]) == input)
  }

  @Test func `a secret that is too long is refused before anything is asked of signetd`() throws {
    let daemon = try ScriptedDaemon([])
    for trim in [[], ["--trim"]] {
      let run = try Signet.run(["vault", "add", "web"] + trim, input: VaultStoringTests.bytes, with: daemon)
      #expect(run.status == 1)
      #expect(run.errors == "signet: the secret is longer than 65536 bytes. Nothing was stored.\n")
    }
  }

  @Test func `the longest secret may have a newline more where that is left out`() throws {
    let input = Array(VaultStoringTests.bytes[..<65_536])
    let daemon = try VaultStoringTests.daemon(parts: 17)
    let run = try Signet.run(["vault", "add", "web", "--trim"], input: input + [UInt8(ascii: "\n")], with: daemon)
    #expect(run.status == 0)
    #expect(try value(daemon.finish()[0][1...]) == input)
  }

  /// A command in front of the pipe that failed must not replace a secret by nothing.
  @Test func `a secret without a byte is refused unless it is meant`() throws {
    let refused = try Signet.run(["vault", "add", "web"], input: [], with: ScriptedDaemon([]))
    #expect(refused.status == 1)
    #expect(refused.errors.contains("--allow-empty"))
    let daemon = try VaultStoringTests.daemon(parts: 0)
    #expect(try Signet.run(["vault", "add", "web", "--allow-empty"], input: [], with: daemon).status == 0)
    let sent = try daemon.finish()[0]
    #expect(sent.count == 1)
    #expect(try vaultRequest(sent[0]) == .add(user: "", VaultStoringTests.usual, length: 0))
  }

  @Test(arguments: [
    ("s3cret\n", [], "s3cret\n", true), ("s3cret\n", ["--trim"], "s3cret", false), ("s3cret\n\n", ["--trim"], "s3cret\n", false),
    ("a\nb\n", [], "a\nb\n", false), ("a\nb", ["--trim"], "a\nb", false), ("s3cret", [], "s3cret", false),
  ])
  func `a newline at the end is left out on request only, and a lone one remarked on`(
    input: String, words: [String], stored: String, isRemarked: Bool
  ) throws {
    let daemon = try VaultStoringTests.daemon(parts: 1)
    let run = try Signet.run(["vault", "add", "web"] + words, input: Array(input.utf8), with: daemon)
    #expect(run.status == 0)
    #expect(run.errors.contains("--trim") == isRemarked)
    #expect(try value(daemon.finish()[0][1...]) == Array(stored.utf8))
  }

  /// A pipe that is open for ever must not hold one of signetd's connections.
  @Test func `signetd is not asked before the whole secret is there`() throws {
    let daemon = try ScriptedDaemon([])
    let input = try Pipe()
    let program = try Program(
      [Signet.path(), "vault", "add", "web", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [0: input.reading])
    try input.write(Array("half".utf8))
    try wait(for: "signet to read") { !input.holdsUnread }
    #expect(!daemon.hasUnserved)
    input.closeWriting()
    try wait(for: "signet to connect") { daemon.hasUnserved }
    program.signal(SIGKILL)
    #expect(try program.waitForExit() == -SIGKILL)
  }

  @Test func `standard input that cannot be read stores nothing`() throws {
    let daemon = try ScriptedDaemon([])
    let folder = open("/tmp", O_RDONLY | O_CLOEXEC)
    try #require(folder >= 0)
    defer { close(folder) }
    let errors = try Pipe()
    let program = try Program(
      [Signet.path(), "vault", "add", "web", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [0: folder, 2: errors.writing])
    errors.closeWriting()
    #expect(try errors.readToEnd() == "signet: standard input: Is a directory. Nothing was stored.\n")
    #expect(try program.waitForExit() == 1)
  }

  private static let terms: [([String], AccessControl, Accessibility)] = [
    (["--access", "none"], AccessControl(), .whenUnlocked),
    (["--access", "biometryAny"], AccessControl(.biometryAny), .whenUnlocked),
    (["--access", "biometryCurrentSet", "--all"], AccessControl(.biometryCurrentSet), .whenUnlocked),
    (["--access", "biometryCurrentSet", "--any"], AccessControl(.biometryCurrentSet), .whenUnlocked),
    (
      ["--access", "biometryCurrentSet", "--any", "--access", "devicePasscode"],
      AccessControl([.biometryCurrentSet, .devicePasscode], .or), .whenUnlocked
    ),
    (
      ["--access", "biometryAny", "--access", "devicePasscode", "--all", "--accessible", "whenPasscodeSet"],
      AccessControl([.biometryAny, .devicePasscode], .and), .whenPasscodeSet
    ),
    (["--accessible", "afterFirstUnlock"], AccessControl(.userPresence), .afterFirstUnlock),
  ]

  @Test(arguments: terms)
  func `the terms of release are those that were asked for`(
    words: [String], control: AccessControl, accessibility: Accessibility
  ) throws {
    let daemon = try VaultStoringTests.daemon(parts: 1)
    let run = try Signet.run(["vault", "add"] + words + ["web"], input: [1], with: daemon)
    #expect(run.status == 0)
    let item = Item(VaultStoringTests.web, accessControl: control, accessibility: accessibility)
    #expect(try vaultRequest(daemon.finish()[0][0]) == .add(user: "", item, length: 1))
  }

  @Test func `an item has its account, label and comment, and belongs to the user who was named`() throws {
    let daemon = try VaultStoringTests.daemon(parts: 1)
    let words = ["vault", "add", "web", "alice", "--label", "Wëb", "--comment", "since May", "--user", "bob"]
    let run = try Signet.run(words, input: [1], with: daemon)
    #expect(run.output == "Stored web, alice.\n")
    var item = VaultStoringTests.usual
    item.name = ItemName(service: "web", account: "alice")
    (item.label, item.comment) = ("Wëb", "since May")
    #expect(try vaultRequest(daemon.finish()[0][0]) == .add(user: "bob", item, length: 1))
  }

  @Test func `the login secret is one line, and its terms are fixed`() throws {
    for (command, kind) in [("add", RequestKind.vaultAdd), ("update", .vaultUpdate)] {
      let daemon = try VaultStoringTests.daemon(kind, parts: 1)
      let run = try Signet.run(["vault", command, "--login-secret"], input: Array("right horse\n".utf8), with: daemon)
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      #expect(run.output.contains("the login secret"))
      let sent = try daemon.finish()[0]
      let expected: VaultRequest =
        kind == .vaultAdd ? .add(user: "", .loginSecret, length: 11) : .update(user: "", .loginSecret, length: 11)
      #expect(try vaultRequest(sent[0]) == expected)
      #expect(try value(sent[1...]) == Array("right horse".utf8))
    }
  }

  @Test(arguments: [
    ([], "empty"), (Array("\n".utf8), "empty"), ([7, 0, 7], "zero byte"), (Array(repeating: 7, count: 513), "longer than 512"),
  ])
  func `what no login can take is no login secret`(input: [UInt8], words: String) throws {
    let run = try Signet.run(["vault", "add", "--login-secret"], input: input, with: ScriptedDaemon([]))
    #expect(run.status == 1)
    #expect(run.errors.contains(words))
  }

  @Test func `the longest login secret has 512 bytes`() throws {
    let daemon = try VaultStoringTests.daemon(parts: 1)
    #expect(try Signet.run(["vault", "add", "--login-secret"], input: Array(repeating: 7, count: 512), with: daemon).status == 0)
  }

  private static let stored = ItemRow(
    item: Item(
      web, label: "Web", comment: "old", accessControl: AccessControl([.biometryCurrentSet, .devicePasscode], .or),
      accessibility: .whenPasscodeSet), created: 1, modified: 2, isOfCurrentSet: true)

  private func update(_ words: [String], listing rows: [AdministrationReply]) throws -> VaultRequest {
    let daemon = try ScriptedDaemon(
      [.expect(.vaultList)] + rows.map { .reply($0) } + [.done],
      [.expect(.vaultUpdate), .reply(.askValue), .expect(.value), .done])
    let run = try Signet.run(["vault", "update", "web"] + words, input: [1], with: daemon)
    #expect(run.status == 0)
    #expect(run.output == "Replaced web.\n")
    return try vaultRequest(daemon.finish()[1][0])
  }

  @Test func `an update keeps what is not given`() throws {
    let other = ItemRow(item: Item(ItemName(service: "web", account: "x")), created: 0, modified: 0, isOfCurrentSet: true)
    let rows: [AdministrationReply] = [.item(other), .vaultProblem(.damaged("/one")), .item(VaultStoringTests.stored)]
    #expect(try update([], listing: rows) == .update(user: "", VaultStoringTests.stored.item, length: 1))
    var item = VaultStoringTests.stored.item
    (item.label, item.accessControl) = ("", AccessControl(.biometryAny))
    #expect(try update(["--label", "", "--access", "biometryAny"], listing: rows) == .update(user: "", item, length: 1))
  }

  @Test func `nothing is read for an update of what is not there`() throws {
    let run = try Signet.run(["vault", "update", "web"], input: [], with: ScriptedDaemon([.expect(.vaultList), .done]))
    #expect(run.status == 1)
    #expect(run.errors == "signet: there is no item web. Add it with: signet vault add\n")
  }

  @Test(
    arguments: [
      ([ScriptedDaemon.Step.reply(.refused(.duplicateItem))], 1),
      ([.reply(.refused(.vaultFull))], 1), ([.reply(.refused(.vaultUnavailable(.damaged("/key"))))], 4),
      ([.reply(.askValue), .expect(.value), .reply(.refused(.loginSecretZeroByte))], 1),
      ([.done], 3), ([.reply(.askValue), .expect(.value), .reply(.askValue)], 3), ([.value([1], of: 1)], 3),
      ([.reply(.askValue), .expect(.value)], 3),
    ] as [([ScriptedDaemon.Step], Int32)])
  func `what is refused or breaks off is not stored`(steps: [ScriptedDaemon.Step], status: Int32) throws {
    let daemon = try ScriptedDaemon([[.expect(.vaultAdd)] + steps])
    let run = try Signet.run(["vault", "add", "web"], input: [1], with: daemon)
    #expect(run.status == status)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("signet: "))
  }

  /// Whether the command's memory has the secret when signetd has come to the end of these steps.
  private static func memoryHoldsSecret(after steps: [ScriptedDaemon.Step]) throws -> Bool {
    let secret = Array("an unusual horse in memory".utf8)
    let mark = ScriptedDaemon.Step.reply(.show(.timedOut, value: 0, detail: ""))
    let daemon = try ScriptedDaemon([[.expect(.vaultAdd)] + steps + [mark, .wait]])
    let (input, errors) = (try Pipe(), try Pipe())
    try input.write(secret)
    input.closeWriting()
    let program = try Program(
      [Signet.path(), "vault", "add", "web", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [0: input.reading, 2: errors.writing])
    _ = try errors.read(until: "No finger was seen in time")
    return try ProcessMemory(of: program.pid).holds(secret)
  }

  @Test(.enabled(if: geteuid() == 0, "reading another process's memory needs root"))
  func `once it is sent the secret is nowhere in memory`() throws {
    #expect(try VaultStoringTests.memoryHoldsSecret(after: []))
    #expect(try !VaultStoringTests.memoryHoldsSecret(after: [.reply(.askValue), .expect(.value)]))
  }
}
